! Fits a logistic regression by gradient descent; value and gradient come from a saved kernel, linked as an object.
! Fortran stores columns where C stores rows: what the kernel takes as x(rows, columns) is x(columns, rows) here.
module tapeless_loss
   use, intrinsic :: iso_c_binding
   implicit none

   type, bind(c) :: tl_error
      integer(c_int32_t) :: kind
      integer(c_int64_t) :: site, count, values(8), bytes
   end type

   interface
      integer(c_int32_t) function value_and_grad(w, w_size, x, x_rows, x_columns, y, y_size, value, gradient, error) &
         bind(c, name="tapeless_value_and_grad_loss")
         import :: c_int32_t, c_int64_t, c_double, tl_error
         integer(c_int64_t), value :: w_size, x_rows, x_columns, y_size
         real(c_double), intent(in) :: w(w_size), x(x_columns, x_rows), y(y_size)
         real(c_double), intent(out) :: value, gradient(w_size)
         type(tl_error), intent(out) :: error
      end function
   end interface
end module

program fit
   use tapeless_loss
   implicit none
   integer(c_int64_t), parameter :: rows = 200, columns = 3
   integer, parameter :: steps = 300
   real(c_double), parameter :: truth(columns) = [2.0_c_double, -1.0_c_double, 0.5_c_double]
   real(c_double) :: x(columns, rows), y(rows), w(columns), gradient(columns), value
   integer(c_int64_t) :: random = 1
   type(tl_error) :: error
   integer :: i, j, step

   do i = 1, int(rows)
      do j = 1, int(columns)
         x(j, i) = pseudo_random()
      end do
      y(i) = merge(1.0_c_double, -1.0_c_double, dot_product(truth, x(:, i)) > 0.0_c_double)
   end do

   w = 0.0_c_double
   do step = 0, steps
      if (value_and_grad(w, columns, x, rows, columns, y, rows, value, gradient, error) /= 0) then
         write (*, '(a, i0)') 'the kernel failed: kind ', error%kind
         error stop 1
      end if
      if (mod(step, 100) == 0) write (*, '(a, i3, a, f11.9)') 'step ', step, '  loss ', value
      w = w - gradient
   end do
   write (*, '(a, 3(1x, f0.6))') 'weights', w

contains

   ! Numbers between -1 and 1, the same on every machine; the product of integers wraps (-fwrapv).
   real(c_double) function pseudo_random()
      random = random*6364136223846793005_c_int64_t + 1442695040888963407_c_int64_t
      pseudo_random = real(ishft(random, -11), c_double)/4503599627370496.0_c_double - 1.0_c_double
   end function
end program
