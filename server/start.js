import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { findPacked, packBeside } from './packed.js'

// Before anything else is loaded: what was compiled once is not compiled again, and hashing passwords does not keep the
// disk waiting. Plain JavaScript, as the first file would otherwise fetch the eraser of types at every start.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
process.env.UV_THREADPOOL_SIZE ??= '16'

const packed = findPacked()
const { started } = await import(packed?.href ?? './main.ts')
await started
if (!packed) packBeside()
