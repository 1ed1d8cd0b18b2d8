// The OPFS sync write workload: what the calls of a FileSystemSyncAccessHandle cost.
//
// The runtime (docs/workloads.md) calls one function of `cases` per pass, with a context:
//   parameters   the run's parameters: {calls, bytes, chunks, passes, files}
//   caseName     the case
//   values       what the case's `for_each` chose, e.g. {chunk: 65536}
//   seriesNames  the series that the pass has to yield, as the manifest names them
//   warmup       true in the first pass of each sequence
//   last         true in its last one
//   unique(word) a file name that no other pass uses
//   ready()      resolves when the pass before is stored: awaited right before the timed loop, after all preparation
//   now()        wall clock in milliseconds since 1970, for the pass's window
//   planted      null; or, in a run that is slowed down on purpose, what waits inside every timed call: planted.wait()
// and takes back {started_at_ms, finished_at_ms, verified, series: {name: {total_ms, latencies, planted_ms?}}}, all in milliseconds;
// planted_ms is what was really planted into a call in the mean.
//
// Every loop follows one rule: between the two readings of the clock stands the call that is measured and nothing else, but for
// the comparison of a local constant with null that decides whether something is planted.
// What belongs to the next call (its stamp) or to the check of the last one (its return value) stands outside.

import { Mismatch, firstDifference, randomBytes, retryWhileLocked } from "./runtime.js";

/// How many blocks, besides the first and the last, are read back after a measured pass. After the warm-up pass all are.
const kRandomBlocksReadBack = 64;
/// How much is read back at once, where blocks follow each other.
const kReadBackBytes = 1024 * 1024;

/// One block of pseudo-random bytes whose first four (or as many as it has) carry the number of the call that writes it:
/// reading back then tells a lost, a doubled and a misplaced write from a good one.
class StampedBlock {
    constructor(bytes) {
        this.bytes = randomBytes(bytes);
        this.stampBytes = Math.min(4, bytes);
    }

    stamp(call) {
        for (let i = 0; i < this.stampBytes; i++) {
            this.bytes[i] = (call >>> (8 * i)) & 0xff;
        }
    }

    /// The block's first `length` bytes, without a copy.
    view(length) {
        return length === this.bytes.length ? this.bytes : this.bytes.subarray(0, length);
    }
}

/// Creates a fresh file, gives it with its open handle to `use`, and closes and deletes it whatever happens there.
async function withFreshFile(name, use) {
    const root = await navigator.storage.getDirectory();
    const entry = await root.getFileHandle(name, { create: true });
    const file = {
        handle: null,
        async open() {
            this.handle = await retryWhileLocked(name, () => entry.createSyncAccessHandle());
        },
        close() {
            this.handle?.close();
            this.handle = null;
        },
    };
    try {
        await file.open();
        return await use(file);
    } finally {
        file.close();
        await retryWhileLocked(name, () => root.removeEntry(name));
    }
}

/// write() takes less than it was given, without an exception, when the quota or the disk is full (docs/opfs.md).
function checkWritten(series, call, written, expected) {
    if (written !== expected) {
        throw new Mismatch(series, call, `write() took ${written} of ${expected} bytes (quota or disk full?)`);
    }
}

function checkSize(series, handle, expected) {
    const size = handle.getSize();
    if (size !== expected) {
        throw new Mismatch(series, null, `the file has ${size} bytes where ${expected} were written`);
    }
}

/// Which of `count` blocks to read back: all after a warm-up pass, else the first, the last and some random ones.
function blocksToReadBack(count, all) {
    if (all || count <= kRandomBlocksReadBack + 2) return Array.from({ length: count }, (_, i) => i);
    const chosen = new Set([0, count - 1]);
    while (chosen.size < kRandomBlocksReadBack + 2) chosen.add(Math.floor(Math.random() * count));
    return [...chosen].sort((a, b) => a - b);
}

/// Compares what was read from `at` with the block as call number `call` wrote it.
function checkBlock(series, block, actual, call, at) {
    block.stamp(call);
    const wrong = firstDifference(actual, block.bytes, actual.length);
    if (wrong >= 0) {
        const stamp = actual.subarray(0, block.stampBytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
        throw new Mismatch(series, call, `byte ${at + wrong} of the file is not what was written there (its block carries number ${stamp})`);
    }
}

/// Closes and opens the file again, so that nothing is read that only the old handle knows, and checks the written blocks,
/// which are in ascending order. Neighbours are read together: a small read costs as much as a large one.
async function readBack(series, file, block, { totalBytes, blocks, callOf }) {
    file.close();
    await file.open();
    checkSize(series, file.handle, totalBytes);
    const blockBytes = block.bytes.length;
    const blocksARead = Math.max(1, Math.floor(kReadBackBytes / blockBytes));
    const buffer = new Uint8Array(Math.min(totalBytes, blocksARead * blockBytes));
    let bytes = 0;
    for (let first = 0, last; first < blocks.length; first = last + 1) {
        for (last = first; last + 1 < blocks.length && blocks[last + 1] === blocks[last] + 1 && last + 1 - first < blocksARead; ) last++;
        const start = blocks[first] * blockBytes;
        const length = Math.min(totalBytes, (blocks[last] + 1) * blockBytes) - start;
        const read = file.handle.read(buffer.subarray(0, length), { at: start });
        if (read !== length) throw new Mismatch(series, callOf(blocks[first]), `reading back at ${start} gave ${read} of ${length} bytes`);
        for (let at = 0; at < length; at += blockBytes) {
            const call = callOf(blocks[first] + at / blockBytes);
            checkBlock(series, block, buffer.subarray(at, Math.min(length, at + blockBytes)), call, start + at);
        }
        bytes += length;
    }
    return { size: totalBytes, blocks: blocks.length, bytes };
}

/// The frame of every pass that works on one file: prepare, wait until the pass before is stored, run the timed loop, check.
///   loop       the timed loop: (series, handle, block, latencies, planted)
///   prepare    what the file needs before it
///   fileBytes  the file's size afterwards
///   callOf     which call wrote block `index` of the file last
async function onOneFile(context, { blockBytes, calls, fileBytes, prepare = () => {}, loop, callOf = index => index }) {
    const [series] = context.seriesNames;
    const block = new StampedBlock(blockBytes);
    const latencies = new Float64Array(calls);

    return withFreshFile(context.unique(context.caseName), async file => {
        prepare(series, file.handle, block);
        await context.ready();

        const started_at_ms = context.now();
        const start = performance.now();
        loop(series, file.handle, block, latencies, context.planted);
        const total_ms = performance.now() - start;
        const finished_at_ms = context.now();

        checkSize(series, file.handle, fileBytes);
        const blocks = blocksToReadBack(Math.ceil(fileBytes / blockBytes), context.warmup);
        const verified = await readBack(series, file, block, { totalBytes: fileBytes, blocks, callOf });
        const planted_ms = context.planted?.mean;
        return { started_at_ms, finished_at_ms, verified, series: { [series]: { total_ms, latencies, planted_ms } } };
    });
}

/// Appends calls x bytes to a fresh file in calls of `callBytes`; the last one writes what is left. As small-append it shows
/// what a growing file costs, as chunked-append what the same bytes cost in fewer calls.
function append(context, callBytes) {
    const fileBytes = context.parameters.calls * context.parameters.bytes;
    const calls = Math.ceil(fileBytes / callBytes);
    return onOneFile(context, {
        blockBytes: callBytes,
        calls,
        fileBytes,
        loop(series, handle, block, latencies, planted) {
            const options = { at: 0 };
            for (let call = 0; call < calls; call++) {
                const data = block.view(Math.min(callBytes, fileBytes - options.at));
                block.stamp(call);
                const before = performance.now();
                if (planted !== null) planted.wait();
                const written = handle.write(data, options);
                const after = performance.now();
                latencies[call] = after - before;
                checkWritten(series, call, written, data.length);
                options.at += data.length;
            }
        },
    });
}

/// Writes at the start of a file that was given its size and flushed before: nothing grows, and no space is asked for that is
/// not there already. What remains is the floor of a call.
function overwrite(context) {
    const { calls, bytes } = context.parameters;
    return onOneFile(context, {
        blockBytes: bytes,
        calls,
        fileBytes: bytes,
        prepare(series, handle, block) {
            checkWritten(series, null, handle.write(block.bytes, { at: 0 }), bytes);
            handle.flush();
        },
        loop(series, handle, block, latencies, planted) {
            const options = { at: 0 };
            for (let call = 0; call < calls; call++) {
                block.stamp(call);
                const before = performance.now();
                if (planted !== null) planted.wait();
                const written = handle.write(block.bytes, options);
                const after = performance.now();
                latencies[call] = after - before;
                checkWritten(series, call, written, bytes);
            }
        },
        callOf: () => calls - 1,
    });
}

/// A write at the end and a flush, timed as one: what a write costs that must survive a power cut.
function appendAndFlush(context) {
    const { calls, bytes } = context.parameters;
    return onOneFile(context, {
        blockBytes: bytes,
        calls,
        fileBytes: calls * bytes,
        loop(series, handle, block, latencies, planted) {
            const options = { at: 0 };
            for (let call = 0; call < calls; call++) {
                block.stamp(call);
                const before = performance.now();
                if (planted !== null) planted.wait();
                const written = handle.write(block.bytes, options);
                handle.flush();
                const after = performance.now();
                latencies[call] = after - before;
                checkWritten(series, call, written, bytes);
                options.at += bytes;
            }
        },
    });
}

/// The life of a small file. Each step ends where the next one begins, so the four steps add up to the full cycle. Creating,
/// closing and deleting are transactions in the browser's file system database: that is what these series show.
async function newFile(context) {
    const { files, bytes } = context.parameters;
    const [createOpenSeries, firstWriteSeries, closeSeries, deleteSeries, fullCycleSeries] = context.seriesNames;
    const block = new StampedBlock(bytes);
    const names = Array.from({ length: files }, (_, i) => context.unique(`${context.caseName}-${i}`));
    const [createOpen, firstWrite, close, remove, fullCycle] = context.seriesNames.map(() => new Float64Array(files));
    const root = await navigator.storage.getDirectory();
    const planted = context.planted;
    const create = { create: true };
    const options = { at: 0 };
    let name = null;
    let handle = null;

    try {
        await context.ready();
        const started_at_ms = context.now();
        const start = performance.now();
        for (let i = 0; i < files; i++) {
            name = names[i];
            block.stamp(i);
            const t0 = performance.now();
            if (planted !== null) planted.wait();
            const entry = await root.getFileHandle(name, create);
            handle = await entry.createSyncAccessHandle();
            const t1 = performance.now();
            if (planted !== null) planted.wait();
            const written = handle.write(block.bytes, options);
            const t2 = performance.now();
            if (planted !== null) planted.wait();
            handle.close();
            const t3 = performance.now();
            if (planted !== null) planted.wait();
            await root.removeEntry(name);
            const t4 = performance.now();
            createOpen[i] = t1 - t0;
            firstWrite[i] = t2 - t1;
            close[i] = t3 - t2;
            remove[i] = t4 - t3;
            fullCycle[i] = t4 - t0;
            name = null;
            checkWritten(firstWriteSeries, i, written, bytes);
        }
        const total_ms = performance.now() - start;
        const finished_at_ms = context.now();

        const planted_ms = planted?.mean;
        const sum = latencies => ({ total_ms: latencies.reduce((total, latency) => total + latency, 0), latencies, planted_ms });
        return {
            started_at_ms,
            finished_at_ms,
            // The files of a pass are gone when it ends, so after the last one a file of its own stands for them.
            verified: context.last ? await checkOneFile(context, firstWriteSeries, block) : undefined,
            series: {
                [createOpenSeries]: sum(createOpen),
                [firstWriteSeries]: sum(firstWrite),
                [closeSeries]: sum(close),
                [deleteSeries]: sum(remove),
                // Each of its four steps was slowed down.
                [fullCycleSeries]: { total_ms, latencies: fullCycle, planted_ms: planted ? 4 * planted_ms : undefined },
            },
        };
    } catch (error) {
        if (name !== null) {
            handle?.close();
            // What went wrong is the error to report, not that cleaning up after it went wrong as well.
            await retryWhileLocked(name, () => root.removeEntry(name)).catch(() => {});
        }
        throw error;
    }
}

async function checkOneFile(context, series, block) {
    const totalBytes = block.bytes.length;
    return withFreshFile(context.unique(`${context.caseName}-check`), async file => {
        block.stamp(0);
        checkWritten(series, null, file.handle.write(block.bytes, { at: 0 }), totalBytes);
        return readBack(series, file, block, { totalBytes, blocks: [0], callOf: () => 0 });
    });
}

export const cases = {
    "small-append": context => append(context, context.parameters.bytes),
    "small-overwrite": overwrite,
    "chunked-append": context => append(context, context.values.chunk),
    "append+flush": appendAndFlush,
    "new-file": newFile,
};
