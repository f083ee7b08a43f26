import type { HostState } from '#contract/hosts.ts'

/**
 * A host that an account has proven. While it `isGivenUp` only addresses given out before lead on: short links, pictures
 * and the program page.
 */
export type OwnHost = {
  name: string
  accountId: string
  /** The public id of its account. */
  publicId: string
  state: Exclude<HostState, 'unproven'> | 'given-up'
  isGivenUp: boolean
  /** The name with which the account's addresses begin now; null: with APP_URL. */
  portalHost: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The account's own host to which the request was sent; undefined at any other name. */
    ownHost: OwnHost | undefined
  }
}
