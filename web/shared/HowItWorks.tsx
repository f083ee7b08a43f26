import { InHead } from '../ui/Page.tsx'
import { howItWorksWords } from '../words/how-it-works.ts'
import { aboutPages } from './docs.ts'
import styles from './HowItWorks.module.css'

type Props = {
  of: Exclude<keyof typeof aboutPages, 'import'>
  /** Nothing has been set up: its purpose is explained in two sentences. An empty list has them as its hint instead. */
  unused?: boolean
}

/** A link to the docs about a screen at its head, or below it after an introduction while it is unused. */
export function HowItWorks({ of, unused }: Props) {
  const link = <a href={aboutPages[of]}>{howItWorksWords.heading}</a>
  if (!unused) return <InHead>{link}</InHead>
  return (
    <aside aria-label={howItWorksWords.heading} className={`muted ${styles.how}`}>
      {howItWorksWords[of]} {link}
    </aside>
  )
}
