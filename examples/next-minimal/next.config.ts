// Only because the app stands inside of another project.
export default { turbopack: { root: import.meta.dirname } };
