import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { ProgramTexts, previewProgram } from '#contract/applications.ts'
import { apiQuery } from '../../calls.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { programWords as words } from '../../words/applications.ts'
import styles from './ProgramPreview.module.css'

const AFTER_MS = 300
/** The width of a phone, at which the page is laid out, and the height of it that is shown without scrolling. */
const [WIDTH, HEIGHT] = [390, 900]

type Texts = z.input<typeof ProgramTexts>

/** The page itself, written by the server with the typed texts, shortly after each edit; smaller if there is less room. */
export function ProgramPreview({ accountId, texts }: { accountId: string; texts: Texts }) {
  const { state, headline, text, rules, translations, language } = texts
  const settled: Texts = JSON.parse(
    useDebounced(JSON.stringify({ state, headline, text, rules, translations, language }), AFTER_MS),
  )
  const answer = useQuery({
    ...apiQuery(previewProgram, { params: { id: accountId }, body: settled }),
    enabled: ProgramTexts.safeParse(settled).success,
    placeholderData: keepPreviousData,
  })
  return (
    <Panel heading={words.preview}>
      {answer.data ? <Frame {...answer.data} /> : <Pending answer={answer} rows={6} />}
      <p className="inset-all muted small">{words.previewNote}</p>
    </Panel>
  )
}

/** Admits the HTML that the server wrote: it stands in a sandbox, where no script runs. */
const admitted = (window as { trustedTypes?: Factory }).trustedTypes?.createPolicy('program-preview', {
  createHTML: (html) => html,
})
type Factory = {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string }
}

function Frame({ html, style }: { html: string; style: string }) {
  const box = useRef<HTMLElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [scale, setScale] = useState(0)
  const [height, setHeight] = useState(HEIGHT)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setScale(Math.min(1, entry.contentRect.width / WIDTH)))
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const shown = frame.current
    if (!shown) return
    const put = () => {
      const { contentDocument, contentWindow } = shown
      if (!contentDocument || !contentWindow) return
      // the policy of this application, which the frame inherits, admits a sheet but no style element
      const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet()
      sheet.replaceSync(style)
      contentDocument.adoptedStyleSheets = [sheet]
      setHeight(Math.max(HEIGHT, contentDocument.body.scrollHeight))
    }
    shown.addEventListener('load', put)
    shown.srcdoc = admitted?.createHTML(html) ?? html
    return () => shown.removeEventListener('load', put)
  }, [html, style])
  return (
    <section
      ref={box}
      aria-label={words.page}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
      className={styles.box}
      style={{ height: HEIGHT * scale }}
    >
      <div className={styles.whole} style={{ height: height * scale }}>
        <iframe
          ref={frame}
          title={words.preview}
          sandbox="allow-same-origin"
          inert
          className={styles.frame}
          style={{ width: WIDTH, height, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  )
}
