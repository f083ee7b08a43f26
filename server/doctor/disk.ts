import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatNumber } from '#contract/format.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Check, type Finding, reportFault, reportOk, reportWarning } from './check.ts'
import type { Patient } from './patient.ts'

const MEGABYTE = 1e6
/** Free bytes below which PostgreSQL soon stops writing, and with it the product; and those for a warning. */
const NONE_LEFT = 200 * MEGABYTE
const LITTLE_LEFT = 1000 * MEGABYTE
/** Fewest free files: a month of clicks takes a few, and each mail of the outbox one. */
const FEW_FILES = 1000

/** Checks whether DATA_DIR, also used by the embedded database, is writable and has space. */
export const disk: Check = {
  name: 'disk',
  async look(patient) {
    const { dataDir } = patient.config
    const folder = await firstPresent(dataDir)
    return (
      (await judgeFolder(dataDir, folder)) ??
      judgeSpace(folder, await patient.spaceOf(folder)) ??
      reportOk(
        folder === dataDir
          ? `${dataDir} is writable and has ${inGigabytes((await patient.spaceOf(folder)).free)} left.`
          : `${dataDir} is created by the first start.`,
      )
    )
  },
}

/** Returns the folder, or the one in which it will be created. */
async function firstPresent(folder: string): Promise<string> {
  const present = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code !== 'ENOENT')
  return present || dirname(folder) === folder ? folder : firstPresent(dirname(folder))
}

async function judgeFolder(dataDir: string, folder: string): Promise<Finding | null> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error || !found.isDirectory())
    return reportFault(`DATA_DIR is ${dataDir}, which isn’t a folder.`, 'Set DATA_DIR to the path of a folder.')
  const refused = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  const own = process.getuid?.()
  if (refused?.code === 'EROFS')
    return reportFault(
      `${folder} is on a file system that is mounted read-only.`,
      'Mount it for writing; see dmesg for the reason.',
    )
  if (refused)
    return reportFault(
      `${folder} isn’t writable (${refused.code}); it belongs to user ${found.uid}, and this is user ${own}.`,
      `Run as the user who runs the product, or change the folder’s owner: chown -R ${own} ${folder}`,
    )
  return null
}

/** Judges the space; file systems without a limit on files report none. */
function judgeSpace(folder: string, space: Awaited<ReturnType<Patient['spaceOf']>>): Finding | null {
  const { free, total, filesLeft } = space
  if (filesLeft !== undefined && filesLeft < FEW_FILES)
    return reportFault(
      `The file system of ${folder} has room for ${countInWords(filesLeft, 'more file')}, however many bytes are free.`,
      'Delete files there (df -i counts them), or create a file system with more inodes: nothing can be written without them.',
    )
  if (total === 0 || free >= LITTLE_LEFT) return null
  const words = `${folder} has ${inGigabytes(free)} left of ${inGigabytes(total)}.`
  const advice = 'Free space on its file system or make it larger; a full one stops the database.'
  return free < NONE_LEFT ? reportFault(words, advice) : reportWarning(words, advice)
}

/** Formats '1.4 GB', '12 MB'. */
export const inGigabytes = (bytes: number) =>
  bytes >= 1e9 ? `${formatNumber(Math.round(bytes / 1e8) / 10)} GB` : `${formatNumber(Math.round(bytes / MEGABYTE))} MB`
