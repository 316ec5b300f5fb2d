// Runs own code: a request is one line of JSON on stdin, and its reply one line of JSON on stdout.
import {existsSync, writeSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const MOST = 1 << 20;
const {parse, stringify} = JSON;
const own = createRequire(path.join(process.cwd(), 'code.js'));
const view = new Proxy(process, {
  get: (target, name) => (name === 'mainModule' ? {require: own} : Reflect.get(target, name)),
});

/** The code cannot be run at all. */
class Unusable extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** Where the last semicolon outside of quotes is; -1: there is none. */
function lastSemicolon(line) {
  let quote = null;
  let last = -1;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (quote === null) {
      if (letter === ';') last = at;
      else if ('"\'`'.includes(letter)) quote = letter;
    } else if (letter === '\\') {
      at++;
    } else if (letter === quote) {
      quote = null;
    }
  }
  return last;
}

/** The body of a function of a check: several lines are one; a line of declarations returns what stands behind them; else an expression. */
function body(code) {
  const trimmed = code.trimEnd();
  if (trimmed.includes('\n')) return trimmed;
  const line = trimmed.trim().replace(/[;\s]+$/, '');
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`;
  const at = lastSemicolon(line);
  const result = at < 0 ? '' : line.slice(at + 1).trim();
  return result === '' ? line : `${line.slice(0, at + 1)} return ${result}`;
}

/** The body of a function that transforms: with a line feed the code is one, else it is an expression. */
function transformBody(code) {
  return code.includes('\n') ? code : `return ${code}`;
}

const inline = new Map();

function compiled({code, use}) {
  const key = `${use} ${code}`;
  let known = inline.get(key);
  if (known === undefined) {
    try {
      known = new Function('output', 'context', 'process', use === 'check' ? body(code) : transformBody(code));
    } catch (error) {
      throw new Unusable('SYNTAX', describe(error));
    }
    inline.set(key, known);
  }
  return known;
}

async function loaded(file) {
  const full = path.resolve(file);
  if (!existsSync(full)) throw new Unusable('MALFORMED', `There is no file ${file} in the code directory`);
  try {
    if (!file.endsWith('.mjs')) {
      try {
        return own(full);
      } catch (error) {
        if (error?.code !== 'ERR_REQUIRE_ESM' && !(error instanceof SyntaxError)) throw error;
      }
    }
    return await import(pathToFileURL(full));
  } catch (error) {
    throw error instanceof SyntaxError ? new Unusable('SYNTAX', describe(error)) : error;
  }
}

async function member({file, function: name}) {
  let found = await loaded(file);
  if (typeof found.default?.default === 'function') found = found.default;
  const exported = name ? (found[name] ?? found.default?.[name]) : typeof found === 'function' ? found : found.default;
  if (typeof exported === 'function') return exported;
  throw new Unusable('MALFORMED', name ? `${file} has no function \`${name}\`` : `${file} exports no function, and has no function as its default`);
}

function describe(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Stands for an answer that is not there yet: whatever is read of it throws. */
const raises = () => {
  throw new Error('there is no answer yet, and the value depends on it');
};
const unread = new Proxy(raises, {get: raises, has: raises, apply: raises, ownKeys: raises, getPrototypeOf: raises, construct: raises});

/** What is taken into a campaign once: tests, vars, or the value of an assertion. */
async function given({use, code, file, function: name, arguments: values}) {
  if (code !== undefined) return varsOf(code)(...values, view);
  const found = use === 'tests' && !name ? await loaded(file) : null;
  const list = found === null ? null : Array.isArray(found) ? found : found.default?.default ?? found.default;
  if (Array.isArray(list)) return list;
  const run = await member({file, function: name});
  return use === 'value' ? run(unread, ...values.slice(1)) : run(...values);
}

function varsOf(code) {
  try {
    return new Function('vars', 'context', 'process', code.includes('\n') ? code : `return ${code}`);
  } catch (error) {
    throw new Unusable('SYNTAX', describe(error));
  }
}

const providers = new Map();

/** What answers for a branch: an object of its class, made once for its options; a function answers itself. */
async function provider({file, function: name, options}) {
  const key = stringify([file, name, options]);
  let known = providers.get(key);
  if (known === undefined) {
    const exported = await member({file, function: name});
    const isClass = /^class\b/.test(Function.prototype.toString.call(exported)) || typeof exported.prototype?.callApi === 'function';
    known = isClass ? new exported(options) : {callApi: exported};
    if (typeof known.callApi !== 'function') throw new Unusable('MALFORMED', `The class of ${file} has no method callApi`);
    providers.set(key, known);
  }
  return known;
}

async function answer(request) {
  if (request.call === 'hello') return process.versions.node;
  if (request.call === 'give') return given(request);
  if (request.call === 'provider') return (await provider(request)).callApi(...request.arguments);
  const code = 'code' in request ? compiled(request) : await member(request);
  if (request.call === 'compile') return null;
  return 'code' in request ? code(...request.arguments, view) : code(...request.arguments);
}

function written(id, result, most) {
  const type = typeof result;
  if (type === 'number' && !Number.isFinite(result)) return stringify({id, result: null, type: String(result)});
  if (type === 'undefined' || type === 'function' || type === 'symbol') return stringify({id, result: null, type});
  const text = stringify({id, result});
  return Buffer.byteLength(text) <= most ? text : stringify({id, error: {kind: 'MALFORMED', message: `The result is longer than ${most >> 20} MiB`}});
}

async function reply(request) {
  try {
    return written(request.id, await answer(request), request.most ?? MOST);
  } catch (error) {
    const kind = error instanceof Unusable ? error.kind : 'RAISED';
    const message = (error instanceof Unusable ? error.message : describe(error)).slice(0, 4000);
    return stringify({id: request.id, error: {kind, message, stack: String(error?.stack ?? '').slice(0, 4000)}});
  }
}

function send(line) {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

// What own code prints is no reply, and what it left running says nothing of the next request.
process.stdout.write = process.stderr.write.bind(process.stderr);
process.on('uncaughtException', (error) => process.stderr.write(`${describe(error)}\n`));
process.on('unhandledRejection', (error) => process.stderr.write(`${describe(error)}\n`));

for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
  send(await reply(parse(line)));
}
process.exit(0);
