/** Why a file is not imported, in words for whoever imports it. Nothing has been changed. */
export class ImportRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImportRefusal'
  }
}
