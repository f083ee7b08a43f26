import { isDiskFull } from '../database/pool.ts'

/** Why a backup is not written or not restored, in words for the operator. No data was lost. */
export class BackupRefusal extends Error {
  override name = 'BackupRefusal'
}

/** Returns advice to the operator about an external failure; else the failure itself. */
export function failureInWords(error: unknown, { file, lost }: { file: string; lost: string }): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (isDiskFull(error))
    return new BackupRefusal(`The disk of the database is full. ${lost} Make room there and try again.`)
  if (!syscall) return error
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupRefusal(`There is no room left for ${file}. ${lost} Make room there, or choose another disk.`)
  if (code === 'ENOENT') return new BackupRefusal(`There is no file or folder ${file}. ${lost}`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EISDIR' || code === 'ENOTDIR')
    return new BackupRefusal(`${file} can’t be read or written (${code}). ${lost}`)
  return new BackupRefusal(`${file}: ${message}. ${lost}`)
}
