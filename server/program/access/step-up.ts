import type { Actor } from './actor.ts'

const TEN_MINUTES = 600_000

/** Whether the password was proved in this session within ten minutes (api.md, section 2). */
export const isFresh = ({ confirmedAt }: Pick<Actor, 'confirmedAt'>, now: Date) =>
  confirmedAt !== null && now.getTime() - Date.parse(confirmedAt) <= TEN_MINUTES
