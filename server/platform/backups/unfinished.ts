/** The end of a backup's name until all of it is on the disk. */
export const UNFINISHED = '.part'
