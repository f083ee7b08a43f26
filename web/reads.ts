import type { QueryKey } from '@tanstack/react-query'
import type { Role } from '#contract/auth.ts'

/** A screen as it is opened: what it reads follows from this. */
export type Opened<Params = object> = {
  /** The role the screen is shown to. */
  role: Role
  params: Params
  /** Of its address. */
  search: Record<string, unknown>
}

/** The queries of a screen, that of its main thing first. */
export type Reads = readonly { queryKey: QueryKey }[]
