import type { LinkProps } from '@tanstack/react-router'
import { renewApiKey } from '#contract/accounts.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { createLinkBlueprint } from '#contract/links.ts'
import { createPartner } from '#contract/partners.ts'
import { connectProvider } from '#contract/payment-providers.ts'
import { changeAutoPayoutSettings, savePayPalMethod, saveSepaMethod } from '#contract/payout-settings.ts'
import { createSale } from '#contract/sales.ts'
import { createApiKey } from '#features/api-keys/contract.ts'
import { saveEmbedCode } from '#features/embed/contract.ts'
import type { Needed } from '../../ui/permissions.ts'

export type FirstStep = Dashboard['checklist'][number]['step']

type TakenBy = { place: Pick<LinkProps, 'to' | 'search'>; calls: readonly [Call, ...Call[]] }
type Call = Needed & { name: string }

/** The screen on which each of the first steps is taken, and the calls that take it; the first decides who may. */
export const firstSteps: Record<FirstStep, TakenBy> = {
  'payment-provider': { place: { to: '/integrations/payment-providers' }, calls: [connectProvider] },
  partner: { place: { to: '/partners/new' }, calls: [createPartner] },
  link: { place: { to: '/links/new' }, calls: [createLinkBlueprint] },
  'embed-or-api': { place: { to: '/integrations/embed-code' }, calls: [saveEmbedCode, renewApiKey, createApiKey] },
  sale: { place: { to: '/leads/new-sale' }, calls: [createSale] },
  payouts: {
    place: { to: '/account/settings', search: { tab: 'payouts' } },
    calls: [changeAutoPayoutSettings, savePayPalMethod, saveSepaMethod],
  },
}
