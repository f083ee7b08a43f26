/** What the name of a backup ends with until all of it is on the disk. */
export const UNFINISHED = '.part'
