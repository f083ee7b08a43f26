import { toastWords } from '../words/shell.ts'
import { showToast } from './toasts.ts'

/** Copies `text` and confirms it. Over http, except on localhost, browsers have no clipboard: failures are only logged. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast(toastWords.copied)
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the log of the browser is the only place that gets it
    console.error('copying failed:', error)
  }
}
