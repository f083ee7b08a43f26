import { toastWords } from '../words/shell.ts'
import { toast } from './toasts.ts'

/** Copies `text` and says whether it is on the clipboard: over http, except on localhost, browsers have none. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast(toastWords.copied)
  } catch {
    toast(toastWords.notCopied, { failed: true })
  }
}
