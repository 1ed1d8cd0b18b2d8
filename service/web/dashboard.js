// What the daemon is doing, and what it has measured. Everything comes from the HTTP API; texts of users are only ever
// set as text, never as HTML.

const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children.map(child => child ?? ''));
    return made;
};

const byId = id => document.getElementById(id);
const time = text => (text ? new Date(text).toLocaleString() : '–');
const seconds = value => (value == null ? 'unknown' : value < 90 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`);

const get = async path => {
    const answer = await fetch(path, {headers: {Accept: 'application/json'}});
    if (answer.status === 401) {
        byId('login').hidden = false;
        throw new Error('a token is needed');
    }
    if (!answer.ok) throw new Error((await answer.json()).detail ?? answer.statusText);
    return answer.json();
};

const table = (heads, rows, nothing) => {
    if (rows.length === 0) return element('p', {class: 'empty'}, nothing);
    const head = element('tr', {}, ...heads.map(text => element('th', {}, text)));
    return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
};
const row = cells => element('tr', {}, ...cells.map(cell => (cell instanceof HTMLTableCellElement ? cell : element('td', {}, cell))));
const show = (id, content) => byId(id).replaceChildren(content);

const reportLink = run => element('a', {href: `/v1/runs/${run}/report?format=html`}, run);

let progress = null;

function showNow(running) {
    if (!running) return show('now', element('p', {class: 'empty'}, 'Nothing is being measured.'));
    const line = element('p', {}, element('strong', {}, running.id), ' ', running.stage || '');
    const at = progress?.id === running.id ? progress : running.progress;
    if (!at) return show('now', line);
    const bar = element('progress', {max: at.passes_total, value: at.passes_stored});
    const where = `${at.target}, launch ${at.launch} of ${at.launches}: ${at.series || 'between launches'}, pass ${at.pass} of ${at.passes}; ` +
        `${at.passes_stored} of ${at.passes_total} passes stored, ${seconds(at.eta_seconds)} left`;
    show('now', element('div', {}, line, bar, element('p', {class: 'quiet'}, where)));
}

async function showQueue() {
    const {running, waiting} = await get('/v1/queue');
    showNow(running);
    const rows = waiting.map(job => row([job.id, job.class, job.schedule ?? '–', time(job.queued_at), seconds(job.eta_seconds)]));
    show('queue', table(['Run', 'Class', 'Schedule', 'Queued', 'Begins in'], rows, 'Nothing waits.'));
}

async function showSchedules() {
    const {schedules} = await get('/v1/schedules');
    const rows = schedules.map(one => {
        const last = one.last[0];
        return row([one.name, `${one.cron} ${one.time_zone}`, one.paused ? 'paused' : time(one.next[0]),
                    last ? `${time(last.due_at)}: ${last.state ?? last.outcome}${last.reason ? ` (${last.reason})` : ''}` : '–']);
    });
    show('schedules', table(['Schedule', 'When', 'Next', 'Last'], rows, 'There are no schedules.'));
}

let shown = 50;

async function showRuns() {
    const {runs, next} = await get(`/v1/runs?limit=${shown}`);
    const rows = runs.map(run => row([
        ['completed', 'partial', 'invalid', 'cancelled', 'failed'].includes(run.state) ? reportLink(run.id) : run.id,
        element('td', {class: run.state}, run.state), time(run.started_at), run.preset ?? '–', run.targets.join(', '),
        run.reason ?? run.note ?? '']));
    show('runs', table(['Run', 'State', 'Started', 'Preset', 'Targets', 'Note'], rows, 'There are no runs.'));
    byId('more').hidden = next === null || shown >= 1000;
}

const refresh = () => Promise.all([showQueue(), showSchedules(), showRuns()])
    .then(() => { byId('state').textContent = 'up to date'; })
    .catch(error => { byId('state').textContent = error.message; });

let due = null;
const refreshSoon = () => { due ??= setTimeout(() => { due = null; refresh(); }, 300); };

function listen() {
    const events = new EventSource('/v1/events');
    for (const name of ['run.queued', 'run.started', 'run.stage', 'run.finished', 'run.deleted', 'run.imported', 'schedule.skipped',
                        'config.reloaded', 'gap', 'overflow']) {
        events.addEventListener(name, refreshSoon);
    }
    events.addEventListener('run.progress', event => {
        progress = JSON.parse(event.data);
        showNow({id: progress.id, stage: '', progress});
    });
    events.addEventListener('error', () => { byId('state').textContent = 'not connected; trying again'; });
    events.addEventListener('open', refreshSoon);
}

byId('more').addEventListener('click', () => { shown = Math.min(1000, shown * 2); showRuns(); });
byId('login').addEventListener('submit', async event => {
    event.preventDefault();
    const token = new FormData(event.target).get('token');
    const answer = await fetch('/v1/session', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({token})});
    if (!answer.ok) return void (byId('state').textContent = 'this token is not known');
    byId('login').hidden = true;
    await refresh();
    listen();
});

await refresh();
if (byId('login').hidden) listen();
