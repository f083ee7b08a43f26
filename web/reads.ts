import type { QueryKey } from '@tanstack/react-query'
import type { Role } from '#contract/auth.ts'

/** An opened screen, which determines its reads. */
export type Opened<Params = object> = {
  /** The role the screen is shown to. */
  role: Role
  params: Params
  /** Search parameters of its address. */
  search: Record<string, unknown>
}

/** The queries of a screen, its main one first. */
export type Reads = readonly { queryKey: QueryKey }[]
