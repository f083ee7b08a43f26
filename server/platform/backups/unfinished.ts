/** Suffix of a backup's name until all of it is on disk. */
export const UNFINISHED = '.part'
