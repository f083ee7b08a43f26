import { GONE, type MethodSettings } from '../method.ts'

/** Only the last characters of a token are shown. */
export const settings: MethodSettings = {
  present: ({ profile, profiles, tokenHint }, trouble) => ({
    wiseProfile: profile,
    wiseProfilesAvailable: profiles,
    wiseTokenHint: tokenHint,
    wiseError: trouble,
  }),
  audited: ({ profile, tokenHint }) => ({ wiseProfile: profile?.id ?? null, wiseTokenHint: tokenHint }),
  given: ({ wiseToken, wiseProfileId }) => ({ token: wiseToken, profileId: wiseProfileId }),
  tokenIn: (authorization) => /^wise:\s*([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1] ?? null,
  wrong: {
    tokenNotSent: { wrong: 'wise_token_not_sent' },
    tokenMissing: { wrong: 'wise_token_missing', field: 'wiseToken' },
    tokenNeeded: { wrong: 'wise_token_needed', field: 'wiseToken' },
    profileMissing: { wrong: 'wise_profile_missing', field: 'wiseProfileId' },
    profileOutOfReach: { wrong: 'wise_profile_out_of_reach', field: 'wiseProfileId' },
  },
  unread({ kind, status, message }, listed) {
    const isDenied = kind === 'unauthorized' || kind === 'forbidden'
    if (status === GONE) return { wrong: 'wise_not_served', values: { said: message } }
    if (kind === 'unknown' || (listed && !isDenied))
      return { wrong: 'wise_away', details: { provider: 'wise', message } }
    return listed
      ? { wrong: 'wise_token_rejected' }
      : { wrong: 'wise_token_refused', field: 'wiseToken', values: { said: message } }
  },
}
