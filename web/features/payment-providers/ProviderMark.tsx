import type { ReactNode } from 'react'
import lemonSqueezy from 'simple-icons/icons/lemonsqueezy.svg?raw'
import paddle from 'simple-icons/icons/paddle.svg?raw'
import square from 'simple-icons/icons/square.svg?raw'
import stripe from 'simple-icons/icons/stripe.svg?raw'
import type { ProviderConnection } from '#contract/payment-providers.ts'
import { providerWords } from '../../words/shell.ts'

type Provider = ProviderConnection['provider']

/**
 * Marks of simple-icons, which is CC0, in their brand's color. Only those without a license or guidelines of their own
 * there: those of PayPal, Shopify and WooCommerce ask for permission, and there is none of Polar, Chargebee and Recurly.
 */
const marks: Partial<Record<Provider, { tile: string; ink: string; svg: string }>> = {
  stripe: { tile: '#635bff', ink: '#fff', svg: stripe },
  paddle: { tile: '#fddd35', ink: '#1c1c1c', svg: paddle },
  square: { tile: '#3e4348', ink: '#fff', svg: square },
  'lemon-squeezy': { tile: '#ffc233', ink: '#1c1c1c', svg: lemonSqueezy },
}

/** The provider's mark for beside its name, else the name's first letter; our own for a system without a name. */
export function ProviderMark({ provider }: { provider: Provider }) {
  const mark = marks[provider]
  if (mark) {
    const [, path] = / d="([^"]+)"/.exec(mark.svg) ?? []
    return (
      <Tile color={mark.tile}>
        <path fill={mark.ink} transform="translate(8 8)" d={path} />
      </Tile>
    )
  }
  if (provider === 'generic')
    return (
      <Tile color="var(--muted)">
        <path fill="none" stroke="var(--surface)" strokeWidth="2.5" d="M16 13l-6 7 6 7m8-14l6 7-6 7" />
      </Tile>
    )
  return (
    <Tile color="var(--raised)">
      <text x="20" y="26" textAnchor="middle" fontSize="18" fontWeight="600" fill="currentColor">
        {providerWords[provider].charAt(0)}
      </text>
    </Tile>
  )
}

const Tile = ({ color, children }: { color: string; children: ReactNode }) => (
  <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
    <rect width="40" height="40" rx="8" fill={color} />
    {children}
  </svg>
)
