// What every workload's worker has in common: it carries out the plan, one pass after another, and reports. The workload's
// own module, imported here as ./workload.js (whatever the manifest calls it), holds the cases and nothing of this.
//
// Messages to the daemon, each one JSON text, and null after the last one:
//   {type: "environment", ...}                            once, first; the daemon answers with proceed(0)
//   {type: "pass", sequence, pass, started_at_ms, finished_at_ms, verified, series: [{name, total_ms, latencies_us, planted_mean_us?}]}
//                                                         pass 0 is the warm-up; the daemon answers with proceed(n) when it is stored
//   {type: "error", name, message, stack, series?, pass?, call?}   the last one after a failure
//   {type: "done"}                                        the last one otherwise

/// How long to look for the clock's smallest step.
const kClockProbeMs = 30;
/// A lock on a file may outlive the handle by some milliseconds; after this long it is a fault (docs/opfs.md).
const kLockedRetryMs = 2000;
const kLockedPauseMs = 10;

/// What a browser means that has an origin private file system and does not give it (docs/opfs.md).
const kNoStorageHint =
    "this browser stores nothing, as in a private window; does a preference of this target switch that on (browser.privatebrowsing.autostart)?";

/// What was written is not what is there. The run's figures are then worth nothing.
export class Mismatch extends Error {
    constructor(series, call, message) {
        super(message);
        this.name = "Mismatch";
        this.series = series;
        this.call = call;
    }
}

/// The same pseudo-random bytes every time (xorshift32, Marsaglia 2003): not compressible, so that no filesystem gets them cheaper.
export function randomBytes(length, seed = 0x9e3779b9) {
    const words = new Uint32Array(Math.ceil(length / 4));
    let x = seed;
    for (let i = 0; i < words.length; i++) {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        words[i] = x;
    }
    return new Uint8Array(words.buffer, 0, length);
}

/// Index of the first byte in which two arrays differ within `length`, or -1. Quick where both begin at a multiple of four bytes.
export function firstDifference(a, b, length) {
    const aligned = ((a.byteOffset | b.byteOffset) & 3) === 0;
    const words = aligned ? length >>> 2 : 0;
    const wordsOfA = aligned ? new Uint32Array(a.buffer, a.byteOffset, words) : a;
    const wordsOfB = aligned ? new Uint32Array(b.buffer, b.byteOffset, words) : b;
    let word = 0;
    while (word < words && wordsOfA[word] === wordsOfB[word]) word++;
    for (let i = word * 4; i < length; i++) {
        if (a[i] !== b[i]) return i;
    }
    return -1;
}

/// Calls `action` until the file is no longer locked by a handle that was closed a moment ago. Fails naming the file.
export async function retryWhileLocked(name, action) {
    const giveUp = performance.now() + kLockedRetryMs;
    for (;;) {
        try {
            return await action();
        } catch (error) {
            if (error.name !== "NoModificationAllowedError" || performance.now() > giveUp) {
                error.file = name;
                throw error;
            }
        }
        await new Promise(resolve => setTimeout(resolve, kLockedPauseMs));
    }
}

/// A slowdown on purpose, to see whether it is noticed: a busy wait inside a timed call. Lengths are what the clock says,
/// so on a coarse one they are whole steps of it.
class Planted {
    constructor(us) {
        this.milliseconds = us / 1000;
        this.total = 0;
        this.waits = 0;
    }

    wait() {
        const start = performance.now();
        let now = start;
        while (now - start < this.milliseconds) now = performance.now();
        this.total += now - start;
        this.waits++;
    }

    /// Milliseconds really added by a wait, in the mean.
    get mean() {
        return this.waits > 0 ? this.total / this.waits : 0;
    }
}

function send(message) {
    self.postMessage(JSON.stringify(message));
}

const proceeding = [];
let proceeded = -1;

function waitForProceed(number) {
    if (proceeded >= number) return Promise.resolve();
    return new Promise(resolve => proceeding.push({ number, resolve }));
}

function onProceed(number) {
    proceeded = number;
    while (proceeding.length && proceeding[0].number <= number) proceeding.shift().resolve();
}

/// The smallest positive step of performance.now() seen, in milliseconds.
function clockStep() {
    const end = performance.now() + kClockProbeMs;
    let step = Infinity;
    let last = performance.now();
    while (last < end) {
        const now = performance.now();
        if (now > last && now - last < step) step = now - last;
        last = now;
    }
    return step;
}

function wallClock() {
    return performance.timeOrigin + performance.now();
}

/// Milliseconds to microseconds with three decimals: the clock itself has no more.
function microseconds(milliseconds) {
    return Math.round(milliseconds * 1e6) / 1e3;
}

async function describeEnvironment() {
    if (!navigator.storage?.getDirectory) {
        throw new Error("this browser has no origin private file system (navigator.storage.getDirectory is missing)");
    }
    try {
        await navigator.storage.getDirectory();
    } catch (error) {
        if (error.name === "SecurityError") error.hint = kNoStorageHint;
        throw error;
    }
    const estimate = await navigator.storage.estimate();
    return {
        type: "environment",
        user_agent: navigator.userAgent,
        platform: navigator.platform,
        hardware_concurrency: navigator.hardwareConcurrency,
        timestamp: new Date().toISOString(),
        timer_resolution_us: microseconds(clockStep()),
        cross_origin_isolated: self.crossOriginIsolated,
        storage_estimate: { usage: estimate.usage, quota: estimate.quota },
    };
}

function sendPass(sequence, pass, result) {
    const series = Object.entries(result.series).map(([name, { total_ms, latencies, planted_ms }]) => ({
        name,
        total_ms: Math.round(total_ms * 1e6) / 1e6,
        latencies_us: Array.from(latencies, microseconds),
        planted_mean_us: planted_ms === undefined ? undefined : microseconds(planted_ms),
    }));
    const { started_at_ms, finished_at_ms, verified } = result;
    send({ type: "pass", sequence, pass, started_at_ms, finished_at_ms, verified, series });
}

async function carryOut(plan, cases) {
    let stored = 0;
    let files = 0;
    for (const [sequence, { case: caseName, values, series }] of plan.sequences.entries()) {
        const run = cases[caseName];
        if (!run) throw new Error(`the workload's module has no case "${caseName}"`);
        for (let pass = 0; pass <= plan.passes; pass++) {
            const context = {
                parameters: plan.parameters,
                caseName,
                values,
                seriesNames: series,
                warmup: pass === 0,
                last: pass === plan.passes,
                unique: word => `${word.replace(/[^A-Za-z0-9.+-]/g, "_")}.${pass}.${files++}`,
                ready: () => waitForProceed(stored),
                now: wallClock,
                planted: plan.parameters.planted_us > 0 ? new Planted(plan.parameters.planted_us) : null,
            };
            let result;
            try {
                result = await run(context);
            } catch (error) {
                error.series ??= series[0];
                error.pass ??= pass;
                throw error;
            }
            sendPass(sequence, pass, result);
            stored++;
        }
    }
    await waitForProceed(stored);
}

/// Everything that is known of an error, word for word: a DOMException as a bare object would lose its text.
function sendError(error) {
    let message = error.message ?? String(error);
    if (error.file) message += ` (file ${error.file})`;
    if (error.hint) message += `; ${error.hint}`;
    send({ type: "error", name: error.name, message, stack: error.stack, series: error.series, pass: error.pass, call: error.call });
}

async function start(planText) {
    try {
        const plan = JSON.parse(planText);
        send(await describeEnvironment());
        await waitForProceed(0);
        const { cases } = await import("./workload.js");
        await carryOut(plan, cases);
        send({ type: "done" });
    } catch (error) {
        sendError(error);
    }
    self.postMessage(null);
}

self.onmessage = ({ data }) => {
    if (data.start !== undefined) start(data.start);
    else onProceed(data.proceed);
};
