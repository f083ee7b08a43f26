import { ignoringRefusal } from './reference.ts'

/** The visitor's referral in one program, as the page's own code gets it. */
export type Referral = {
  /** The click id, else the code: what a server or a checkout needs. */
  referral: string
  clickId: string | null
  referralCode: string | null
  /** The account's public id. */
  program: string
}

export type Told = (referral: Referral | null) => void

/** One account's script on the page; every call of the page's own code is taken by each. */
type Program = {
  id: string
  take(command: string, value: unknown): void
  /** The referral with the time it was made, in seconds. */
  latest(): { referral: Referral; at: number } | undefined
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
}

declare global {
  interface Window {
    tributary?: PageApi
  }
}

/** Returns the page's function, which the first script makes and the others share; `q` are all calls so far. */
export function pageApi(): PageApi {
  const before = window.tributary
  if (before?.programs) return before
  const programs: Program[] = []
  const q: Call[] = before?.q || []
  const api: PageApi = (...call) => {
    q.push(call)
    for (const { take } of programs) ignoringRefusal(() => take(call[0], call[1]))
  }
  api.consent = (given) => api('consent', given)
  window.tributary = Object.assign(api, { q, programs, consented: before?.consented })
  return api
}

const NONE = { referral: null, clickId: null, referralCode: null }

/** Updates what the page can read: the latest referral of all programs, and all, latest first. */
export function showReferrals(api: PageApi): void {
  const all = api.programs!.map((program) => program.latest()!).filter((one) => one)
  const referrals = all.sort((a, b) => b.at - a.at).map(({ referral }) => referral)
  const { referral, clickId, referralCode } = referrals[0] || NONE
  Object.assign(api, { referral, clickId, referralCode, referrals })
}

/** Tells the page by an event, for pages that allow no script of their own, and by its functions. */
export function tell(name: 'ready' | 'change', functions: readonly unknown[], detail: Referral | null): void {
  ignoringRefusal(() => dispatchEvent(new CustomEvent(`tributary:${name}`, { detail })))
  for (const told of functions) ignoringRefusal(() => (told as Told)(detail))
}
