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
    if (!answer.ok) throw await problem(answer);
    return answer.json();
};

const problem = async answer => {
    const body = await answer.json().catch(() => ({}));
    const error = new Error(body.detail ?? answer.statusText);
    error.status = answer.status;
    return error;
};

// What a daemon without that part of the API has not got is empty.
const getIfThere = (path, empty) => get(path).catch(error => {
    if (error.status === 404) return empty;
    throw error;
});

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
    knownRuns = runs.filter(run => run.state === 'completed').map(run => run.id);
    offerRuns();
    show('runs', table(['Run', 'State', 'Started', 'Preset', 'Targets', 'Note'], rows, 'There are no runs.'));
    byId('more').hidden = next === null || shown >= 1000;
}

const percent = fraction => (fraction == null ? '–' : `${fraction > 0 ? '+' : ''}${(100 * fraction).toFixed(1)} %`);

// Notes that somebody is writing stay while the table around them is made anew.
const notes = new Map();

async function decide(alert, action) {
    const note = notes.get(alert.id) ?? '';
    const answer = await fetch(`/v1/alerts/${encodeURIComponent(alert.id)}`, {
        method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(note ? {action, note} : {action})});
    if (!answer.ok) return void (byId('state').textContent = (await problem(answer)).message);
    notes.delete(alert.id);
    await showAlerts();
}

function alertActions(alert, open) {
    const note = element('input', {placeholder: 'note', maxlength: 2000, 'aria-label': `note on alert ${alert.id}`});
    note.value = notes.get(alert.id) ?? '';
    note.addEventListener('input', () => notes.set(alert.id, note.value));
    const button = (text, action, title) => {
        const made = element('button', {type: 'button', title}, text);
        made.addEventListener('click', async () => {
            made.disabled = true;
            await decide(alert, action).finally(() => { made.disabled = false; });
        });
        return made;
    };
    const acknowledge = alert.acknowledged ? button('Unacknowledge', 'unacknowledge', 'it wants attention again')
                                           : button('Acknowledge', 'acknowledge', 'somebody looks at it');
    const decisions = open ? [acknowledge, button('Expected', 'expected', 'the new level is the one to compare with'),
                              button('Invalid', 'invalid', 'that night does not count')]
                           : [button('Reopen', 'reopen', 'take the decision back')];
    return element('div', {class: 'actions'}, note, button('Note', 'note', 'only write the note down'), ...decisions);
}

const alertRow = (alert, open) => row([
    element('td', {class: alert.direction === 'slower' ? 'slower' : 'faster'}, `${alert.direction} ${percent(alert.change)}`),
    `${alert.series_name ?? alert.series}, ${alert.target ?? ''} on ${alert.host ?? ''}`, alert.last_good ?? '–', alert.first_bad,
    `${alert.state.replaceAll('_', ' ')}${alert.acknowledged ? ', acknowledged' : ''}`,
    alert.run ? reportLink(alert.run) : '–', alert.confirmation ? reportLink(alert.confirmation) : '–', alertActions(alert, open)]);

async function showAlerts() {
    const {alerts} = await getIfThere('/v1/alerts', {alerts: []});
    const undecided = alerts.filter(alert => ['suspected', 'confirmed'].includes(alert.state));
    const decided = alerts.filter(alert => !undecided.includes(alert));
    const heads = ['Change', 'Series', 'Last good', 'First bad', 'State', 'Run', 'Confirmation', ''];
    // Who is writing a note does not lose the place.
    const writing = document.activeElement?.closest?.('#alerts') ? document.activeElement.getAttribute('aria-label') : null;
    const wasOpen = byId('alerts').querySelector('details')?.open ?? false;
    const all = element('div', {}, table(heads, undecided.map(alert => alertRow(alert, true)), 'Nothing is out of line.'));
    if (decided.length > 0) {
        const rest = element('details', {}, element('summary', {}, `${decided.length} decided or not reproduced`),
                             table(heads, decided.map(alert => alertRow(alert, false)), ''));
        rest.open = wasOpen;
        all.append(rest);
    }
    show('alerts', all);
    if (writing) [...byId('alerts').querySelectorAll('input')].find(input => input.getAttribute('aria-label') === writing)?.focus();
}

const compareLink = (base, run, text) =>
    element('a', {href: `/v1/compare?${new URLSearchParams({base, new: run, format: 'html'})}`}, text);

let knownRuns = [];
let knownBaselines = [];

function offerRuns() {
    const names = ['latest', ...knownBaselines.map(baseline => `baseline:${baseline.name}`), ...knownRuns];
    byId('known-runs').replaceChildren(...names.map(value => element('option', {value})));
}

async function showBaselines() {
    const {baselines} = await getIfThere('/v1/baselines', {baselines: []});
    knownBaselines = baselines;
    offerRuns();
    const rows = baselines.map(baseline => row([baseline.name, reportLink(baseline.run), time(baseline.set_at), baseline.note || '–',
                                                compareLink(`baseline:${baseline.name}`, 'latest', 'compare with the latest run')]));
    show('baselines', table(['Baseline', 'Run', 'Set', 'Note', ''], rows, 'No run has been named as a baseline.'));
}

// Plots are only made anew when a night has come: they are pictures, and the reader may have opened and scrolled.
let shownSeries = '';

function seriesFigure(one) {
    const path = `/v1/series/${encodeURIComponent(one.id)}`;
    const name = `${one.series}, ${one.points} nights, last ${one.last_night ?? '–'}`;
    const plot = element('img', {src: `${path}/plot.svg`, alt: `plot of ${name}`, loading: 'lazy', width: 900, height: 320});
    return element('figure', {}, element('a', {href: `${path}/plot.svg`}, plot),
                   element('figcaption', {class: 'quiet'}, `${name}; `, element('a', {href: `${path}/points`}, 'points')));
}

async function showSeries() {
    const {series} = await getIfThere('/v1/series', {series: []});
    const now = JSON.stringify(series);
    if (now === shownSeries) return;
    shownSeries = now;
    if (series.length === 0) return show('series', element('p', {class: 'empty'}, 'There are no nightly series yet.'));
    const groups = new Map();
    for (const one of series) {
        const parameters = Object.entries(one.parameters ?? {}).map(([name, value]) => `${name}=${value}`).join(', ');
        const name = `${one.target} on ${one.host_name || one.host}, ${one.workload}: ${parameters}`;
        groups.set(name, [...(groups.get(name) ?? []), one]);
    }
    const open = new Map([...byId('series').querySelectorAll('details')].map(group => [group.dataset.name, group.open]));
    const first = groups.keys().next().value;
    const all = [...groups].map(([name, members]) => {
        const plots = element('div', {class: 'plots'}, ...members.map(seriesFigure));
        const group = element('details', {'data-name': name}, element('summary', {}, name), plots);
        group.open = open.get(name) ?? name === first;
        return group;
    });
    show('series', element('div', {}, ...all));
}

const refresh = () => Promise.all([showQueue(), showAlerts(), showSchedules(), showRuns(), showBaselines(), showSeries()])
    .then(() => { byId('state').textContent = 'up to date'; })
    .catch(error => { byId('state').textContent = error.message; });

let due = null;
const refreshSoon = () => { due ??= setTimeout(() => { due = null; refresh(); }, 300); };

function listen() {
    const events = new EventSource('/v1/events');
    for (const name of ['run.queued', 'run.started', 'run.stage', 'run.finished', 'run.deleted', 'run.imported', 'schedule.skipped',
                        'config.reloaded', 'alert.changed', 'alerts.changed', 'gap', 'overflow']) {
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
