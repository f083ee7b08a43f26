import type { Endpoint } from '#contract/endpoint.ts'
import { CallError, fetchReply, type Loose } from '../api.ts'
import { basicWords } from '../words/basic.ts'

type Watch = (piece: Uint8Array, headers: Headers) => void

/** Bytes of a file buffered in memory, in addition to the blob of earlier parts. */
const KEPT_BYTES = 1_000_000

/**
 * Downloads the file of a call, under the name in its answer. Calls `watch` with every chunk. A long file becomes a
 * blob while it loads, which the browser may store on disk, so that a tab never has all of it in memory.
 */
export async function downloadFile(
  endpoint: Endpoint,
  input: Loose,
  watch: Watch = () => {},
): Promise<{ file: Blob; name: string | undefined }> {
  const response = await fetchReply(endpoint, input)
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
    throw new CallError(basicWords.errors.network, { status: 0, code: 'unreachable' })
  }
}
