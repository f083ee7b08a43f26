process.env.RUNS ??= '12'
process.env.STEPS ??= '120'
await import('./file.model.test.ts')
