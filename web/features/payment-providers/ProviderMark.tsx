import type { ReactNode } from 'react'
import type { ProviderConnection } from '#contract/payment-providers.ts'

/** A shape of our own in each provider's color; none is a trademarked logo. */
const marks: Record<ProviderConnection['provider'], { tile: string; shape: ReactNode }> = {
  stripe: { tile: '#635bff', shape: <path fill="#fff" d="M11 17l18-5v5l-18 5zm0 8l18-5v5l-18 5z" /> },
  paddle: {
    tile: '#ffd43b',
    shape: <path fill="#1c1c1c" d="M20 9a8 8 0 0 1 2.5 15.6V31h-5v-6.4A8 8 0 0 1 20 9z" />,
  },
  paypal: {
    tile: '#003087',
    shape: (
      <>
        <rect x="12" y="10" width="9" height="15" rx="4.5" fill="#fff" />
        <rect x="18" y="15" width="9" height="15" rx="4.5" fill="#5bb4e5" fillOpacity="0.85" />
      </>
    ),
  },
  square: {
    tile: '#3a3f45',
    shape: (
      <>
        <rect x="11" y="11" width="12" height="12" rx="2" fill="none" stroke="#fff" strokeWidth="2.5" />
        <rect x="18" y="18" width="12" height="12" rx="2" fill="#fff" />
      </>
    ),
  },
  'lemon-squeezy': {
    tile: '#7047eb',
    shape: (
      <>
        <ellipse cx="20" cy="20" rx="10" ry="7" fill="#ffc233" transform="rotate(-35 20 20)" />
        <path fill="none" stroke="#7047eb" strokeWidth="1.5" d="M14.5 24l11-8" />
      </>
    ),
  },
  shopify: {
    tile: '#4f7f35',
    shape: (
      <path fill="#fff" d="M10 12h20v4a3.3 3.3 0 0 1-6.7 0 3.3 3.3 0 0 1-6.6 0 3.3 3.3 0 0 1-6.7 0zm2 10h16v7H12z" />
    ),
  },
  woocommerce: {
    tile: '#720eec',
    shape: (
      <path
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M11 15l3.5 11 5.5-9 5.5 9 3.5-11"
      />
    ),
  },
  polar: {
    tile: '#0062ff',
    shape: (
      <>
        <circle cx="20" cy="20" r="9" fill="none" stroke="#fff" strokeWidth="2.5" />
        <ellipse cx="20" cy="20" rx="4" ry="9" fill="none" stroke="#fff" strokeWidth="2.5" />
      </>
    ),
  },
  chargebee: {
    tile: '#ff3300',
    shape: (
      <>
        <ellipse cx="20" cy="22" rx="6" ry="9" fill="#fff" />
        <path fill="none" stroke="#ff3300" strokeWidth="2.5" d="M14 19h12m-12 6h12" />
        <path fill="none" stroke="#fff" strokeWidth="2" d="M17 13l-3-4m9 4l3-4" />
      </>
    ),
  },
  recurly: {
    tile: '#5e3fde',
    shape: <path fill="none" stroke="#fff" strokeWidth="3" d="M28 20a8 8 0 1 1-3-6.2M26 9v6h-6" />,
  },
  generic: {
    tile: '#556170',
    shape: <path fill="none" stroke="#fff" strokeWidth="2.5" d="M16 13l-6 7 6 7m8-14l6 7-6 7" />,
  },
}

/** The provider's picture, for beside its name. */
export function ProviderMark({ provider }: { provider: ProviderConnection['provider'] }) {
  const { tile, shape } = marks[provider]
  return (
    <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      <rect width="40" height="40" rx="8" fill={tile} />
      {shape}
    </svg>
  )
}
