// The page between the daemon (over BiDi: a function call in, a channel out) and the worker that measures. It relays and
// does nothing else: nothing here runs while a pass is being timed.

/// A channel message of this many UTF-16 units stays under 4 MiB as JSON even if every one of them is escaped.
const kMaxPartUnits = 2 * 1024 * 1024;

let worker = null;

/// Sends a text through the channel: "+" and a part, as often as needed, then "." and the last part.
function sendInParts(channel, text) {
    let at = 0;
    for (; text.length - at > kMaxPartUnits; at += kMaxPartUnits) {
        channel("+" + text.slice(at, at + kMaxPartUnits));
    }
    channel("." + text.slice(at));
}

function report(channel, name, message) {
    sendInParts(channel, JSON.stringify({ type: "error", name, message }));
}

window.foxbench = {
    /// Starts the worker on a plan (a text: the worker parses it). Resolves when the worker has said its last word; everything
    /// that it says comes through the channel before that.
    start(channel, plan) {
        if (worker) throw new Error("a workload is running on this page already");
        worker = new Worker("runtime.js", { type: "module" });
        return new Promise(resolve => {
            worker.onmessage = ({ data }) => (data === null ? resolve() : sendInParts(channel, data));
            worker.onmessageerror = () => {
                report(channel, "MessageError", "a message of the worker could not be read");
                resolve();
            };
            worker.onerror = event => {
                event.preventDefault();
                const where = event.filename ? ` (${event.filename}:${event.lineno})` : "";
                report(channel, "WorkerError", (event.message || "the worker did not start") + where);
                resolve();
            };
            worker.postMessage({ start: plan });
        });
    },

    /// Lets the worker go on: what it sent last is stored.
    proceed(number) {
        worker.postMessage({ proceed: number });
    },
};
