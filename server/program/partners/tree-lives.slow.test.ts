process.env.RUNS ??= '40'
await import('./tree-lives.test.ts')
