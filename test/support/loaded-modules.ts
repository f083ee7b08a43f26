import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Passed to a process by `--import`: writes the list of its loaded files when it ends.
const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})
process.once('exit', () => writeFileSync(process.env.LOADED_MODULES!, [...loaded].join('\n')))
