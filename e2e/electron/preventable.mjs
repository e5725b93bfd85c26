/** An event of Electron's that a listener may prevent. */
export const preventable = (fields = {}) => ({
  ...fields,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});
