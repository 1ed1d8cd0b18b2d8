// Does with Puppeteer what the programs in benchmarks/ do with foxbench's own client, so that they can alternate the two.
//
//     node puppeteer_driver.mjs FIREFOX
//
// One request a line on stdin, one answer a line on stdout, both JSON; members that end in _ms and _us are durations.
//
//     {"do": "start_up", "url"}
//         Starts a browser, loads the page, closes the browser.
//         -> {"launch_ms", "page_ms", "ready_ms", "isolated", "close_ms"}
//     {"do": "connect", "endpoint"} -> {}
//         Joins a browser that runs already and has no session; the next two use its first tab.
//     {"do": "call", "method", "params", "count"} -> {"trips_us": [...]}
//         Sends a BiDi command and awaits its answer, `count` times. In params, "$CONTEXT" stands for the tab's id.
//     {"do": "evaluate", "expression", "count"} -> {"trips_us": [...]}
//         The same with page.evaluate().
//     {"do": "disconnect"} -> {}
//         Ends the session; the browser goes on.
//     {"do": "workload", "url", "binding", "expression", "reply", "output"}
//         Starts a browser, exposes a function of the name `binding` to the page, loads the page, awaits the expression and
//         closes the browser. What the page tells the function are texts that begin with "+" or, the last part of a message,
//         with "." (service/measure/page/page.js); each whole message is appended to the file `output` and answered by
//         evaluating `reply`, in which "$NUMBER" stands for the number of messages before.
//         -> {"total_ms", "ready_ms", "work_ms", "close_ms", "messages"}
//
// Any failure: -> {"error": "..."}.

import {open} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import puppeteer from 'puppeteer-core';

const executablePath = process.argv[2];
if (!executablePath) {
    console.error('usage: node puppeteer_driver.mjs FIREFOX');
    process.exit(2);
}

/** Everything at Puppeteer's own defaults, but for the time limit: a measurement must not be cut off. */
const launch = () => puppeteer.launch({browser: 'firefox', executablePath, headless: true, protocolTimeout: 0});

/** The tab that Firefox opens with; a second one would only make Puppeteer look slower. */
const firstPage = async browser => (await browser.pages())[0] ?? (await browser.newPage());

const since = start => performance.now() - start;

async function startUp({url}) {
    const start = performance.now();
    const browser = await launch();
    try {
        const launch_ms = since(start);
        const page = await firstPage(browser);
        await page.goto(url, {waitUntil: 'load'});
        const isolated = await page.evaluate('crossOriginIsolated');
        const ready_ms = since(start);
        const closing = performance.now();
        await browser.close();
        return {launch_ms, page_ms: ready_ms - launch_ms, ready_ms, isolated, close_ms: since(closing)};
    } finally {
        await browser.close().catch(() => {});
    }
}

let browser;
let page;

async function connect({endpoint}) {
    browser = await puppeteer.connect({browserWSEndpoint: endpoint, protocol: 'webDriverBiDi', protocolTimeout: 0});
    page = await firstPage(browser);
    return {};
}

async function disconnect() {
    await browser?.disconnect();
    browser = page = undefined;
    return {};
}

async function trips(count, trip) {
    const trips_us = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
        const start = performance.now();
        await trip();
        trips_us[i] = since(start) * 1000;
    }
    return {trips_us: Array.from(trips_us)};
}

async function call({method, params, count}) {
    // Puppeteer has no public way to send one command; this is the connection that all of it goes through.
    const context = page.mainFrame()._id;
    const filled = JSON.parse(JSON.stringify(params).replaceAll('$CONTEXT', context));
    return trips(count, () => browser.connection.send(method, filled));
}

const evaluate = ({expression, count}) => trips(count, () => page.evaluate(expression));

async function workload({url, binding, expression, reply, output}) {
    const start = performance.now();
    const file = await open(output, 'w');
    const browser = await launch();
    try {
        const page = await firstPage(browser);
        let text = '';
        let messages = 0;
        let replied = Promise.resolve();
        await page.exposeFunction(binding, part => {
            text += part.slice(1);
            if (part[0] === '+') return;
            const message = text + '\n';
            const answer = reply.replace('$NUMBER', messages++);
            text = '';
            replied = replied.then(() => file.write(message)).then(() => page.evaluate(answer));
        });
        await page.goto(url, {waitUntil: 'load'});
        const ready_ms = since(start);
        await page.evaluate(expression);
        await replied;
        const work_ms = since(start) - ready_ms;
        const closing = performance.now();
        await browser.close();
        return {total_ms: since(start), ready_ms, work_ms, close_ms: since(closing), messages};
    } finally {
        await file.close();
        await browser.close().catch(() => {});
    }
}

const actions = {start_up: startUp, connect, disconnect, call, evaluate, workload};

for await (const line of createInterface({input: process.stdin})) {
    let answer;
    try {
        const request = JSON.parse(line);
        const action = actions[request.do];
        answer = action ? await action(request) : {error: `no such action: ${request.do}`};
    } catch (error) {
        answer = {error: String(error)};
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
}
await disconnect();
