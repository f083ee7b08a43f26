import type { ReactNode } from 'react'

type Props = { size?: number; className?: string }

/** Drawn on a 20 px grid with a 1.5 px stroke in the color of the text; always next to words or in a named control. */
export const defineIcon = (drawing: ReactNode) =>
  function Icon({ size = 18, className }: Props) {
    return (
      <svg
        aria-hidden="true"
        className={className}
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {drawing}
      </svg>
    )
  }

export const defineLineIcon = (d: string) => defineIcon(<path d={d} />)

export const ErrorIcon = defineLineIcon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 6.5v4M10 13.5h.01')
export const InfoIcon = defineLineIcon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9.5v4M10 6.5h.01')
export const WarningIcon = defineLineIcon('M10 3l7.5 13.5h-15zM10 8.5v3.5M10 14.2h.01')
export const DoneIcon = defineLineIcon('M4.5 10.5l3.5 3.5 7.5-8')
export const AgainIcon = defineLineIcon('M16 10a6 6 0 1 1-1.8-4.3L16.5 8M16.5 4v4h-4')
export const ShowIcon = defineLineIcon(
  'M2 10s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S2 10 2 10zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
)
export const HideIcon = defineLineIcon(
  'M3 3l14 14M8.2 4.7A8 8 0 0 1 10 4.5c5 0 8 5.5 8 5.5a14 14 0 0 1-2.3 2.9M5.4 5.8A13.5 13.5 0 0 0 2 10s3 5.5 8 5.5a7.6 7.6 0 0 0 3.4-.800',
)
export const NextIcon = defineLineIcon('M8 5.5l4.5 4.5L8 14.5')
