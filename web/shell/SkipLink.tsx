import { basicWords } from '../words/basic.ts'
import styles from './SkipLink.module.css'

/** The first stop of the Tab key: leads past the navigation to the element with the id `content`. */
export const SkipLink = () => (
  <a href="#content" className={`strong screen-only ${styles.skip}`}>
    {basicWords.skip}
  </a>
)
