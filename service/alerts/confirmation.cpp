#include "service/alerts/confirmation.hpp"

#include <algorithm>

#include "service/run/frozen_request.hpp"
#include "service/run/preparation.hpp"
#include "service/stats/nightly.hpp"

namespace foxbench::alerts {

store::NewJob confirmation_job(const store::Job& of, const std::vector<std::string>& targets, const std::string& night,
                               const config::Config& config, std::int64_t now_ms) {
    run::Job job = run::thaw(of.request, config.workloads);
    std::erase_if(job.request.targets, [&](const config::Target& target) {
        return std::ranges::find(targets, target.name) == targets.end();
    });
    job.request.launches = std::max<std::int64_t>(job.request.launches, stats::kConfirmationLaunches);
    job.request.label = "confirmation of " + of.run;
    job.request.trigger = {{"kind", "confirm"}, {"of", of.run}, {"night", night}};
    // What the night installed is there, and is to be measured though it was measured before.
    job.terms.before.clear();
    job.terms.skip_if_same_build = false;
    job.terms.finish_by_ms.reset();

    store::NewJob confirmation;
    confirmation.skeleton = run::make_queued_document(job.request, config, now_ms);
    confirmation.request = run::freeze(job);
    confirmation.job_class = store::JobClass::confirmation;
    confirmation.queued_at_ms = now_ms;
    return confirmation;
}

}  // namespace foxbench::alerts
