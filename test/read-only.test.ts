import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))
const checkout = await mkdtemp(join(tmpdir(), 'tributary-built-'))
after(() => rm(checkout, { recursive: true, force: true }))

/** Runs these lines in a checkout without write access: files block the paths of folders to be created. */
async function runWhereNothingIsWritten(parts: string[], lines: string) {
  for (const part of parts) await cp(join(root, part), join(checkout, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules')).catch(() => {})
  for (const name of ['dist', '.cache']) await writeFile(join(checkout, name), '')
  const run = promisify(execFile)
  return run(process.execPath, ['--input-type=module', '-e', lines], { cwd: checkout })
}

test('in a read-only folder the embed script is still compiled and served', async () => {
  const { stdout } = await runWhereNothingIsWritten(
    ['embed', 'contract', 'package.json', 'tsconfig.json'],
    `import { readEmbedScript } from './embed/build.ts'; console.log((await readEmbedScript()).length > 1000)`,
  )
  assert.equal(stdout, 'true\n')
})

test('in a read-only folder without a built web application, the start says what to run', async () => {
  const { stdout } = await runWhereNothingIsWritten(
    ['server/platform/http/web-build.ts', 'server/platform/config/start-refusal.ts', 'index.html', 'web/main.ts'],
    `import { buildWebApp } from './server/platform/http/web-build.ts'
     await buildWebApp().catch((error) => console.log(error.constructor.name, error.message))`,
  )
  assert.match(
    stdout,
    /^StartRefusal The web application is not built, .*: run npm run build as a user who may write to /,
  )
})
