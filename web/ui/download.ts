import type { Endpoint } from '#contract/endpoint.ts'
import { answer, CallError, type Loose } from '../api.ts'
import { t } from '../words.ts'

type Watch = (piece: Uint8Array, headers: Headers) => void

/** So much of a file is kept beside the blob of what came before. */
const KEPT_BYTES = 1_000_000

/**
 * The file that a call answers, under the name its answer gives it. `watch` is told of every piece as it comes. A long file
 * becomes a blob as it comes, which the browser may keep on disk, so that a tab never holds all of it.
 */
export async function download(
  endpoint: Endpoint,
  input: Loose,
  watch: Watch = () => {},
): Promise<{ file: Blob; name: string | undefined }> {
  const response = await answer(endpoint, input)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let kept = 0
  let file = new Blob()
  const fold = () => {
    file = new Blob([file, ...pieces])
    pieces = []
    kept = 0
  }
  try {
    const reader = response.body!.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value)
      kept += piece.value.length
      if (kept > KEPT_BYTES) fold()
      watch(piece.value, response.headers)
    }
    fold()
    return { file, name }
  } catch (reason) {
    if (input.signal?.aborted) throw reason
    throw new CallError(t('errors.network'), { status: 0, code: 'unreachable' })
  }
}
