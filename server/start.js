import './right-node.js'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const { addressOfPacked, findPacked, packBeside } = await import('./packed.js')
const packed = findPacked()

// Before anything else is loaded: what was compiled once is not compiled again, and hashing passwords does not keep the
// disk waiting. Plain JavaScript, as the first file would otherwise fetch the eraser of types at every start. What is
// compiled of a pack goes with it.
nodeModule.enableCompileCache(
  packed ? `${packed}/compiled` : fileURLToPath(new URL('../.cache/compiled', import.meta.url)),
)
process.env.UV_THREADPOOL_SIZE ??= '16'

const runSources = () => import('./main.ts')
const { started } = await (packed ? import(addressOfPacked(packed)).catch(runSources) : runSources())
await started
if (!packed) packBeside()
