import type { HostState } from '#contract/custom-domains.ts'

/**
 * A host that an account has proven. While it `isGivenUp` only addresses given out before lead on: short links, pictures,
 * the program page, and screens that mails led to.
 */
export type RequestDomain = {
  name: string
  accountId: string
  /** The public id of its account. */
  publicId: string
  state: Exclude<HostState, 'unproven'> | 'given-up'
  isGivenUp: boolean
  /** The name with which the account's addresses begin now; null: with APP_URL. */
  portalHost: string | null
}

/** Whether what this account has, or what is unknown, is out of reach at a host. At APP_URL everything is reached. */
export const isForeign = (ownHost: RequestDomain | undefined, accountId: string | undefined) =>
  ownHost !== undefined && ownHost.accountId !== accountId

declare module 'fastify' {
  interface FastifyRequest {
    /** The account's own host to which the request was sent; undefined at any other name. */
    ownHost: RequestDomain | undefined
  }
}
