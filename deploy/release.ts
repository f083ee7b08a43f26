import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm run release: packs the program and the client into ./release, as tarballs for npm, with a list of the packages in
// the program and the checksums of all three. `npm run release -- 1.0.0` numbers the release first, and keeps a backup of
// its schema for the tests of later upgrades.

const root = fileURLToPath(new URL('../', import.meta.url))

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const writeJson = (path: string, value: object) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/**
 * Numbers a release in `folder`: the changelog's unreleased changes become its section, and package.json and the lock
 * file get the number. Throws before it writes anything.
 */
export function numberRelease(folder: string, version: string, day: string): void {
  const path = (name: string) => join(folder, name)
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} isn’t the number of a release, such as 1.2.0.`)
  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8')
  const [, last = '0'] = /^## (\d+\.\d+\.\d+) – /m.exec(changelog) ?? []
  if (version.localeCompare(last, 'en', { numeric: true }) <= 0)
    throw new Error(`${version} isn’t newer than ${last}, the last release in CHANGELOG.md.`)
  const numbered = changelog.replace(/^## Unreleased$/m, `## ${version} – ${day}`)
  if (numbered === changelog) throw new Error('CHANGELOG.md has no section “Unreleased”.')
  const lock = readJson(path('package-lock.json'))
  lock.packages[''].version = version
  writeJson(path('package-lock.json'), { ...lock, version })
  writeJson(path('package.json'), { ...readJson(path('package.json')), version })
  writeFileSync(path('CHANGELOG.md'), numbered)
}

/** Packages that only build what a release contains. */
const BUILDING = ['@vitejs/plugin-react', 'terser', 'vite']

/** Packs the program with everything built; returns the tarball's path. */
export function packProgram(into: string): Promise<string> {
  return packFrom(into, async (folder) => {
    // the screens of features are in dist
    for (const part of [
      'LICENSE',
      'CHANGELOG.md',
      'README.md',
      'contract',
      'features',
      'server',
      'embed',
      'dist',
      'package-lock.json',
    ])
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !/features\/[^/]+\/web$/.test(path),
      })
    for (const list of ['web', 'sweep']) rmSync(join(folder, `features/index.${list}.ts`))
    rmSync(join(folder, 'server/pack.ts'))
    await eraseTypes(folder)
    const { private: _, scripts, devDependencies, ...manifest } = readJson(join(root, 'package.json'))
    for (const name of BUILDING) delete manifest.dependencies[name]
    writeJson(join(folder, 'package.json'), manifest)
    // installs the versions that were tested, without those for tests
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--prefer-offline')
    npm(folder, 'shrinkwrap')
  })
}

/** Writes which packages a packed program contains, with their licenses and hashes, as CycloneDX; returns the path. */
export function writeComponents(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-release-'))
  try {
    execFileSync('tar', ['xzf', program, '-C', folder, '--strip-components=1'])
    const { metadata, ...rest } = JSON.parse(npm(folder, 'sbom', '--package-lock-only', ...CYCLONEDX))
    const path = program.replace(/\.tgz$/, '.cdx.json')
    // npm calls it after its folder
    const component = { ...metadata.component, name: 'tributary' }
    writeJson(path, { ...rest, metadata: { ...metadata, component } })
    return path
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CYCLONEDX = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev']

/** Writes the checksums of the files of a release, for `sha256sum --check`; returns the path. */
export function writeChecksums(into: string, files: string[]): string {
  const path = join(into, 'SHA256SUMS')
  const sums = files.map((file) => `${hash('sha256', readFileSync(file))}  ${basename(file)}\n`)
  writeFileSync(path, sums.join(''))
  return path
}

/** Packs the typed client under the program's version; returns the tarball's path. */
export function packClient(into: string): Promise<string> {
  return packFrom(into, async (folder) => {
    for (const part of ['LICENSE', 'client/README.md', 'client/dist'])
      cpSync(join(root, part), join(folder, part.replace('client/', '')), { recursive: true })
    const { private: _, ...manifest } = readJson(join(root, 'client/package.json'))
    const { version } = readJson(join(root, 'package.json'))
    writeJson(join(folder, 'package.json'), { ...manifest, version })
  })
}

async function packFrom(into: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-release-'))
  try {
    cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))
    await fill(folder)
    mkdirSync(into, { recursive: true })
    return join(into, npm(folder, 'pack', '--pack-destination', into).trim())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' })

/** Turns the sources into JavaScript with the same lines, which Node.js also runs below node_modules; deletes tests. */
async function eraseTypes(folder: string) {
  for await (const path of glob('{contract,features,server,embed}/**/*.{ts,js}', { cwd: folder })) {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    if (/\.(test|spec)\.ts$|\/sweep\.ts$/.test(path)) continue
    const erased = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text
    writeFileSync(file.replace(/\.ts$/, '.js'), namingJavaScript(erased))
  }
  chmodSync(join(folder, 'server/tributary.js'), 0o755)
}

/** Imports of our own files end in `.js`. */
const namingJavaScript = (text: string) =>
  text.replace(/(\b(?:from|import)\s*\(?\s*'(?:\.{1,2}\/|#(?:contract|features|server)\/)[^']+)\.ts'/g, "$1.js'")

const BUILDS = ['client/generate/run.ts', 'server/platform/http/web-build.ts', 'embed/build.ts']
const runScript = (script: string) => execFileSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })

if (import.meta.main) {
  const [version] = process.argv.slice(2)
  try {
    if (version) numberRelease(root, version, new Date().toISOString().slice(0, 10))
    for (const script of BUILDS) runScript(script)
    if (version) runScript('test/support/releases/make.ts')
    const into = join(root, 'release')
    const program = await packProgram(into)
    const packed = [program, await packClient(into), writeComponents(program)]
    for (const path of [...packed, writeChecksums(into, packed)]) process.stdout.write(`${path}\n`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
