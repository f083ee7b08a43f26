import { lazy, type ReactNode, Suspense } from 'react'
import type { ShownBrand } from '../shared/public-brand.ts'
import { Logo } from '../ui/Logo.tsx'
import { withinTwoMinutes } from '../ui/load-limit.ts'

const BrandHead = lazy(() =>
  withinTwoMinutes(import('./BrandHead.tsx')).then(
    ({ BrandHead }) => ({ default: BrandHead }),
    () => ({ default: () => <Logo full height={32} /> }),
  ),
)

/** An account's look on a screen that loads fast: its code comes afterwards, and without it there is our logo. */
export const LateBrandHead = ({ brand, meanwhile = null }: Props) => (
  <Suspense fallback={meanwhile}>
    <BrandHead brand={brand} />
  </Suspense>
)

type Props = { brand: ShownBrand | null | undefined; meanwhile?: ReactNode }
