import type { ShownBrand } from '../shared/public-brand.ts'
import { Logo } from '../ui/Logo.tsx'
import { ownPath } from '../ui/own-path.ts'
import { Accent } from './Accent.tsx'
import styles from './ProgramLogo.module.css'

/** An account's logo, else its name, on a screen that is shown to strangers, in its color; our logo without either. */
export function BrandHead({ brand }: { brand: ShownBrand | null | undefined }) {
  if (brand === undefined) return <span className={styles.waits} />
  const { displayName, logoUrl, accent } = brand ?? {}
  return (
    <>
      {accent && <Accent color={accent} />}
      {logoUrl ? (
        <img src={ownPath(logoUrl)} alt={displayName ?? ''} className={styles.logo} />
      ) : displayName ? (
        <strong className="wrap">{displayName}</strong>
      ) : (
        <Logo full height={32} />
      )}
    </>
  )
}
