import type { PublicBrand } from '#contract/accounts.ts'
import { Accent } from '../../shell/Accent.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ownPath } from '../../ui/own-path.ts'
import styles from './ProgramHere.module.css'

/** The logo or name of the program at its own domain, whose screens have its color. */
export function ProgramHere({ program: { displayName, logoUrl, accent } }: { program: PublicBrand }) {
  return (
    <>
      {accent && <Accent color={accent} />}
      {logoUrl ? (
        <img src={ownPath(logoUrl)} alt={displayName ?? ''} className={styles.logo} />
      ) : displayName ? (
        <p className={styles.name}>{displayName}</p>
      ) : (
        <Logo full height={32} />
      )}
    </>
  )
}
