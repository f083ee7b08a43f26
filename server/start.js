import './right-node.js'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const { addressOfPacked, findPacked, packBeside } = await import('./packed.js')
const packed = findPacked()

// Runs before anything else is loaded: code is compiled once, and hashing passwords does not block the disk. Plain
// JavaScript: a first file in TypeScript would load the type eraser at every start. A pack has its own compiled code.
nodeModule.enableCompileCache(
  packed ? `${packed}/compiled` : fileURLToPath(new URL('../.cache/compiled', import.meta.url)),
)
process.env.UV_THREADPOOL_SIZE ??= '16'

const runSources = () => import('./main.ts')
const { started } = await (packed ? import(addressOfPacked(packed)).catch(runSources) : runSources())
await started
if (!packed) packBeside()
