import { currentLanguage, shippedLanguages } from '#contract/language.ts'
import { nearestLanguages } from '#contract/words.ts'
import * as features from '#features/index.tabs.ts'
import type { FeatureTab } from './feature-tab.ts'
import type { RoleType } from './roles.ts'

/** The docs, served by the same server as the application. */
export const DOCS = '/docs'

const starts: Partial<Record<RoleType, string>> = {
  partner: `${DOCS}/partners`,
  'partner-member': `${DOCS}/partners`,
  'account-finance': `${DOCS}/finance`,
  admin: `${DOCS}/self-hosting`,
}

/** Returns the page of the docs that a role starts from. */
export const firstDocsPage = (role: RoleType | undefined) => inReadersLanguage((role && starts[role]) ?? DOCS)

/** Returns the page for partners in the current language, if it is translated; others are in English alone. */
function inReadersLanguage(address: string) {
  const language = nearestLanguages(currentLanguage()).find((one) => shippedLanguages.includes(one))
  if (!language) return address
  return address.replace(/\/partners(?=#|$)/, `/partners.${language.toLowerCase()}`)
}

/** The page or part of the docs about each integration, and each tab of the settings. */
export const aboutPages = {
  'payment-providers': `${DOCS}/providers`,
  'incoming-webhooks': `${DOCS}/integrations/incoming-webhooks`,
  'outgoing-webhooks': `${DOCS}/integrations/outgoing-webhooks`,
  'push-data': `${DOCS}/integrations/push-api`,
  'embed-code': `${DOCS}/integrations/embed-script`,
  general: `${DOCS}/start#3-set-commission-rates`,
  people: `${DOCS}/concepts/people`,
  commission: `${DOCS}/concepts/terms`,
  attribution: `${DOCS}/concepts/attribution`,
  'fraud-rules': `${DOCS}/concepts/fraud`,
  partners: `${DOCS}/partners`,
  program: `${DOCS}/program`,
  applications: `${DOCS}/concepts/joining`,
  branding: `${DOCS}/program#your-look`,
  emails: `${DOCS}/program#emails`,
  payouts: `${DOCS}/concepts/payouts`,
  'payout-methods': `${DOCS}/concepts/payouts`,
  invoices: `${DOCS}/concepts/invoices`,
  books: `${DOCS}/concepts/books`,
  data: `${DOCS}/integrations/csv-imports`,
  import: `${DOCS}/moving`,
  activity: `${DOCS}/security#logs-and-records`,
  'partner-settings': `${DOCS}/partners#getting-paid`,
} as const

/** The pages about screens that don't link to one themselves, by a tab or a part of the address. */
export const aboutOthers: Record<string, string> = {
  groups: `${DOCS}/concepts/terms`,
  leads: `${DOCS}/concepts/attribution`,
  links: `${DOCS}/concepts/attribution`,
  commissions: `${DOCS}/concepts/ledger`,
  profile: `${DOCS}/concepts/sign-in`,
  ...Object.fromEntries(
    Object.values<FeatureTab>(features).flatMap(({ to, about }) => (about ? [[to.slice(1), `${DOCS}${about}`]] : [])),
  ),
}

/** Returns the page of the docs about a screen, by its tab or its address; else the one the role starts from. */
export function aboutPage(role: RoleType | undefined, path: string, tab: string | undefined) {
  const pages: Record<string, string> = { ...aboutPages, ...aboutOthers }
  const ofPartner = role === 'partner' || role === 'partner-member'
  const parts = path.split('/').reverse()
  const names = ofPartner ? [parts.slice(0, 2).reverse().join('-')] : [tab ?? '', ...parts]
  const page = names.map((name) => pages[name]).find(Boolean)
  return page ? inReadersLanguage(page) : firstDocsPage(role)
}

/** The steps for serving over https. */
export const HTTPS_STEPS = `${DOCS}/self-hosting#nginx-and-caddy`
