import { useInsertionEffect } from 'react'

type Props = { dangerouslySetInnerHTML?: { __html: string }; children?: string }

const sheets = new Map<string, { sheet: CSSStyleSheet; uses: number }>()

function adopt(css: string) {
  const known = sheets.get(css)
  if (known) known.uses += 1
  else {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    sheets.set(css, { sheet, uses: 1 })
    document.adoptedStyleSheets.push(sheet)
  }
  return () => release(css)
}

function release(css: string) {
  const known = sheets.get(css)
  if (!known) return
  known.uses -= 1
  if (known.uses > 0) return
  sheets.delete(css)
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== known.sheet)
}

/** Stands in for a `<style>` element of a library: one constructed sheet per text, counted. */
export function AdoptedStyle({ dangerouslySetInnerHTML, children }: Props) {
  const css = dangerouslySetInnerHTML?.__html ?? children ?? ''
  useInsertionEffect(() => adopt(css), [css])
  return null
}

/** Stands in for the style tag with which react-remove-scroll locks the page. */
export function stylesheetSingleton() {
  const releases: Array<() => void> = []
  return { add: (css: string) => releases.push(adopt(css)), remove: () => releases.pop()?.() }
}
