// Runs a WebAssembly program with the interface of WASI: node wasi.mjs PROGRAM ARGUMENT...
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [, , path, ...rest] = process.argv;
const wasi = new WASI({ version: 'preview1', args: [path, ...rest], env: process.env, returnOnExit: true });
const instance = await WebAssembly.instantiate(await WebAssembly.compile(await readFile(path)), wasi.getImportObject());
process.exitCode = wasi.start(instance);
