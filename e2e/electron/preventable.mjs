/** An Electron event with `preventDefault`. */
export const preventable = (fields = {}) => ({
  ...fields,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});
