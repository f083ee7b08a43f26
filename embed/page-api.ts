import { ignoringRefusal } from './refusal.ts'

/** The visitor's referral in one program, as the page's own code gets it. */
export type Referral = {
  /** The click id, else the code: what a server or a checkout needs. */
  referral: string
  clickId: string | null
  referralCode: string | null
  /** The account's public id. */
  program: string
}

/** One account's script on the page; every call of the page's own code is taken by each. */
export type Program = {
  id: string
  take(command: string, value?: unknown): void
  referral: Referral | null
  /** When the referral was made, in seconds. */
  at?: number
  /** Returns an address with the referral. */
  link(address: string): string
}

type Call = ArrayLike<unknown>

/** `window.tributary`: the page's own function before the script loads, which keeps its calls in `q`, and after it. */
export type PageApi = {
  (command: string, value?: unknown): void
  q?: Call[]
  programs?: Program[]
  /** True if consent was given before the script loaded. */
  consented?: boolean
  /** Gives consent; `false` revokes it and deletes the stored data. */
  consent?: (given?: boolean) => void
  referral?: string | null
  clickId?: string | null
  referralCode?: string | null
  referrals?: Referral[]
  /** Returns an address with the referral handed over in it. */
  link?: (address: string) => string
}

declare global {
  interface Window {
    tributary?: PageApi
  }
}

function pageApi(): PageApi {
  const before = window.tributary || ({} as PageApi)
  if (before.programs) return before
  const programs: Program[] = []
  const listen = ([command, value]: [string, ReferralListener]) =>
    /ready|change/.test(command) &&
    addEventListener(`tributary:${command}`, (event) => ignoringRefusal(() => value((event as CustomEvent).detail)))
  const api: PageApi = (...call: [string, unknown?]) => {
    api.q!.push(call)
    listen(call as [string, ReferralListener])
    for (const { take } of programs) ignoringRefusal(() => take(...call))
  }
  window.tributary = Object.assign(api, { q: [] }, before, {
    programs,
    link: (address: string) =>
      programs.reduce((handed, program) => ignoringRefusal(() => program.link(handed)) || handed, address),
    consent: (given?: boolean) => api('consent', given),
  })
  for (const call of api.q!) listen(call as [string, ReferralListener])
  return api
}

/** The page's function, which the first script makes and the others share; `q` are all calls so far. */
export const api = pageApi()

export type ReferralListener = (referral: Referral | null) => void

/** Updates what the page can read: the latest referral of all programs, and all, latest first. */
export function showReferrals(): void {
  api.referrals = api
    .programs!.filter((program) => program.referral)
    .sort((a, b) => b.at! - a.at!)
    .map((program) => program.referral!)
  Object.assign(api, { referral: null, clickId: null, referralCode: null }, api.referrals[0])
}
