import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildWebApp } from '../server/platform/http/web-build.ts'
import { waitUntil } from '../test/support/app.ts'
import { packClient, packProgram, writeChecksums, writeComponents } from './release.ts'

// Both tarballs, installed from npm's cache into an empty folder, up to a first sale.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tributary-release-'))
const children: ReturnType<typeof spawn>[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Node.js and npm of the machine, as for anyone who installs a release. */
const PATH = process.env.PATH?.split(delimiter)
  .filter((path) => !path.endsWith(join('node_modules', '.bin')))
  .join(delimiter)
const OFFLINE = { PATH, HOME: process.env.HOME, npm_config_offline: 'true' }
const isAdministrator = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))

/** A dependency that npm's cache does not describe: `npm ci` alone caches no descriptions. */
const unknown = (() => {
  const cached = spawnSync('npm', ['cache', 'ls'], { env: OFFLINE, encoding: 'utf8' }).stdout ?? ''
  const keys = cached.split('\n').map(decodeURIComponent)
  type Locked = { dev?: boolean; optional?: boolean; devOptional?: boolean }
  const needed = Object.entries<Locked>(lock.packages).filter(([, it]) => !it.dev && !it.optional && !it.devOptional)
  const names = needed.map(([path]) => path.split('node_modules/').at(-1)!).filter(Boolean)
  const absent = names.find((name) => !keys.some((key) => key.endsWith(`/${name}`)))
  // some registries' descriptions, as `npm ci` caches them, are of no use to an installation offline
  const [first = ''] = names
  const asked = ['install', '--dry-run', '--no-save', '--prefix', folder, first]
  return absent ?? (spawnSync('npm', asked, { env: OFFLINE }).status === 0 ? undefined : first)
})()
const incomplete = unknown && `npm's cache lacks the description of ${unknown}: run npm cache add ${unknown}`

/** Sets up the server by its link, as a company with one partner; prints what a sale of $100 earns. */
const FIRST_SALE = `
import { Tributary } from 'tributary-client'
const [baseUrl, setUpLink] = process.argv.slice(2)
const token = new URLSearchParams(new URL(setUpLink).hash.slice(1)).get('token')
const person = { email: 'owner@mail.example', password: 'a passphrase of five words' }
const session = await new Tributary({ baseUrl, token }).auth.changePassword(person)
const owner = new Tributary({ baseUrl, token: session.accessToken })
const { id } = await owner.accounts.create({
  name: 'Northwind', defaultCurrency: 'usd', owner: { email: person.email },
  defaultCommissionSettings: { layerRates: [20] },
})
const partner = await owner.partners.create(id, { email: 'jane@mail.example', firstName: 'Jane', lastName: 'Doe' })
const { key } = await owner.apiKeys.create(id, { name: 'Shop', rights: ['push'] })
const tributary = new Tributary({ baseUrl, apiKey: key })
const { referralCode } = partner
await tributary.push.leads({ email: 'buyer@mail.example', referralCode })
const sale = await tributary.push.sales({ externalId: 'one', amount: 10000, currency: 'usd', email: 'buyer@mail.example' })
console.log(sale.commissions.map(({ amount }) => amount).join())
`

const QUIET = { FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml', LOG_LEVEL: 'warn' }

suite('the tarballs of a release', { skip: incomplete ?? false }, () => {
  let [program, client] = ['', '']
  const unpacked = join(folder, 'unpacked')
  const installed = join(folder, 'installed')

  before(async () => {
    await chmod(folder, 0o755)
    await Promise.all([buildWebApp(), run(process.execPath, ['embed/build.ts'], { cwd: root })])
    program = await packProgram(folder)
    client = await packClient(folder)
    await mkdir(unpacked)
    for (const [name, tarball] of Object.entries({ program, client })) {
      await mkdir(join(unpacked, name))
      await run('tar', ['xzf', tarball, '-C', join(unpacked, name), '--strip-components=1'])
    }
    await mkdir(installed)
    await run('npm', ['install', program, client], { cwd: installed, env: OFFLINE })
  })

  test('contain what runs, and neither tests nor paths of this machine', async () => {
    const paths: string[] = []
    for await (const path of glob('**/*.*', { cwd: unpacked })) paths.push(path)
    for (const path of ['dist/web/index.html', 'dist/embed/script.js', 'server/start.js', 'contract/sales.js'])
      assert.ok(paths.includes(`program/${path}`), path)
    assert.deepEqual(
      paths.filter((path) => /\.test\.|\.spec\.|\.map$|(?<!\.d)\.tsx?$|\.env$|node_modules/.test(path)),
      [],
    )
    const ours = [root.replace(/\/$/, ''), homedir()].filter((path) => path.length > 1)
    for (const path of paths.filter((path) => /\.(js|json|html|css|md|txt|sql|d\.ts)$/.test(path))) {
      const text = await readFile(join(unpacked, path), 'utf8')
      for (const own of ours) assert.ok(!text.includes(`${own}/`), `${path} names ${own}`)
      if (path.startsWith('program/')) assert.ok(!/^import .*'[^']+\.ts'/m.test(text), `${path} imports TypeScript`)
    }
  })

  test('have one version, no scripts, and the dependencies that were tested', async () => {
    const [its, clients] = await Promise.all(
      ['program', 'client'].map(async (name) =>
        JSON.parse(await readFile(join(unpacked, name, 'package.json'), 'utf8')),
      ),
    )
    const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    assert.deepEqual([its.version, clients.version], [own.version, own.version])
    for (const name of ['scripts', 'devDependencies', 'private']) assert.ok(!(name in its), name)
    const shrinkwrap = await readFile(join(unpacked, 'program/npm-shrinkwrap.json'), 'utf8')
    const { packages } = JSON.parse(shrinkwrap)
    for (const [path, { version, dev }] of Object.entries<{ version: string; dev?: boolean }>(packages)) {
      assert.ok(!dev, path)
      if (path) assert.equal(version, lock.packages[path].version, path)
    }
    assert.ok(!('node_modules/vite' in packages))
    assert.doesNotMatch(shrinkwrap, /"resolved"/)
  })

  test('come with a list of every package inside, its license and its hash, and with their checksums', async () => {
    const components = writeComponents(program)
    const listed = JSON.parse(await readFile(components, 'utf8'))
    assert.equal(listed.metadata.component.name, 'tributary')
    const { packages } = JSON.parse(await readFile(join(unpacked, 'program/npm-shrinkwrap.json'), 'utf8'))
    const inside = new Set(
      Object.keys(packages)
        .filter(Boolean)
        .map((path) => path.split('node_modules/').at(-1)),
    )
    type Component = { name: string; hashes?: object[]; licenses?: object[] }
    assert.deepEqual(new Set(listed.components.map(({ name }: Component) => name)), inside)
    const bare = listed.components.filter(({ hashes, licenses }: Component) => !hashes?.length || !licenses?.length)
    assert.deepEqual(
      bare.map(({ name }: Component) => name),
      ['dejavu-fonts-ttf', 'png-js'],
    )
    const sums = writeChecksums(folder, [program, client, components])
    const { stdout } = await run('sha256sum', ['--check', sums], { cwd: folder })
    assert.equal(stdout.match(/: OK/g)?.length, 3)
  })

  for (const [who, user] of Object.entries({ 'an administrator': {}, 'an ordinary user': NOBODY }))
    test(`start for ${who}, who gets to a first sale`, { skip: !isAdministrator && user === NOBODY }, async () => {
      if (user === NOBODY) await run('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, installed])
      const env = {
        PATH,
        HOME: installed,
        DATA_DIR: `data of ${who}`,
        HOST: '127.0.0.1',
        PORT: '0',
        ...QUIET,
      }
      const command = 'node_modules/tributary/server/start.js'
      const child = spawn('node_modules/.bin/node', [command], { cwd: installed, env, ...user })
      children.push(child)
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
      const ended = once(child, 'close')
      const [address, link] = await waitUntil(() => {
        if (child.exitCode !== null) throw new Error(said)
        const found = /listens on (\S+).*Open (\S+\/user-setup\S+)/s.exec(said)
        return found && ([found[1]!, found[2]!] as const)
      }, 180_000)
      for (const path of ['/', '/docs', '/api/docs']) assert.equal((await fetch(address + path)).status, 200, path)
      await writeFile(join(installed, 'first-sale.mjs'), FIRST_SALE)
      const { stdout } = await run('node', ['first-sale.mjs', address, link], { cwd: installed })
      assert.equal(stdout, '2000\n')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null], said)
      const verified = await run('npx', ['tributary', 'verify-ledger'], { cwd: installed, env, ...user })
      assert.match(verified.stdout, /^The ledger is consistent/)
    })
})
