import { toastWords } from '../words/shell.ts'
import { toast } from './toasts.ts'

/** Copies `text` and shows 'Copied'. A failed copy is only logged: nothing was changed. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast(toastWords.copied)
  } catch (reason) {
    // biome-ignore lint/suspicious/noConsole: a failed copy is only logged
    console.info('copy failed', reason)
  }
}
