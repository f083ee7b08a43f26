process.env.RUNS ??= '40'
await import('./tree.model.test.ts')
