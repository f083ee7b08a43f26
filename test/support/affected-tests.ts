import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * Whether a test file is touched by the changes since a commit, committed or not: it changed itself, it imports a
 * changed file, or it is the test beside it or the journey of its feature. A slow one is touched only by its own
 * change.
 */
export function readTouched(root: string, since: string): (file: string) => boolean {
  const changed = new Set([
    ...git(root, 'diff', '--name-only', '--relative', since, '--'),
    ...git(root, 'ls-files', '--others', '--exclude-standard'),
  ])
  const sources = [...changed].filter((file) => !/\.(test|spec)\.ts$/.test(file))
  const folders = new Set(sources.map((file) => dirname(file)))
  const features = new Set(sources.flatMap((file) => FEATURE.exec(file)?.[1] ?? []))
  return (file) => {
    if (changed.has(file)) return true
    if (/\.slow\.\w+\.ts$/.test(file)) return false
    const journey = /^(?:test\/journeys|features\/[^/]+)\/(.+)\.spec\.ts$/.exec(file)?.[1]
    if (journey && features.has(journey)) return true
    return (!journey && folders.has(dirname(file))) || importsOf(root, file).some((path) => changed.has(path))
  }
}

/** A feature, a folder of screens or a module of the server, whose journey has its name. */
const FEATURE = /^(?:web\/features|features|server\/(?:program|integrations))\/([^/]+)\//

function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]*|#[^'"]*)['"]/g)].map(([, given]) =>
    given!.startsWith('.') ? posix.join(dirname(file), given!) : given!.replace('#', ''),
  )
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean)
