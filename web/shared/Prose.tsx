import { Fragment, type ReactNode } from 'react'
import { type ProseBlock, type ProsePiece, parseProse } from '#contract/prose.ts'
import styles from './Prose.module.css'

/** Prose as elements: paragraphs, lists, headings as `h3`, and web addresses as links that open in a new tab. */
export const Prose = ({ text, lang }: { text: string; lang?: string }) =>
  inOrder(parseProse(text).map((block) => blockOf(block, lang)))

function blockOf(block: ProseBlock, lang: string | undefined) {
  if (block.kind === 'heading')
    return (
      <h3 lang={lang} className="wrap linked">
        {lineOf(block.line)}
      </h3>
    )
  if (block.kind === 'paragraph') {
    const lines = block.lines.map((line, at) => [at > 0 && <br key="break" />, lineOf(line)])
    return (
      <p lang={lang} className="wrap linked">
        {inOrder(lines)}
      </p>
    )
  }
  const items = block.items.map((item) => <li key="item">{lineOf(item)}</li>)
  return (
    <ul lang={lang} className={`wrap linked ${styles.list}`}>
      {inOrder(items)}
    </ul>
  )
}

const lineOf = (pieces: readonly ProsePiece[]) =>
  inOrder(
    pieces.map(({ text, href }) =>
      href ? (
        <a key="link" href={href} target="_blank" rel="noopener nofollow">
          {text}
        </a>
      ) : (
        text
      ),
    ),
  )

/** Parts of a text have no name but their place. */
// biome-ignore lint/suspicious/noArrayIndexKey: see above
const inOrder = (parts: ReactNode[]) => parts.map((part, at) => <Fragment key={at}>{part}</Fragment>)
